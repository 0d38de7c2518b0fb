/// Repairs in {harbour}:
///
/// {*tickets as ticket}
/// {index}. {ticket.title}{?!last};{/last}
/// - {*ticket.works}{item.0}{?item.1}, by {item.1}{/item.1}
///
/// {else}
/// Nothing.
/// {/tickets}
/// {?boat}
/// Berth {boat.berth}{?boat.mate}, ask {boat.mate.name}{/boat.mate}.
/// {/boat}
struct Planner {
    harbour: String,
    tickets: Vec<Ticket>,
    boat: Option<Boat>,
}
