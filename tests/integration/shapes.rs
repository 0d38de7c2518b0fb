//! The given programs: each runs as it stands and compares what it prints.
//!
//! Two do not run, since a later decision says otherwise: `17_clock_skills` wants a heading and a suffix for each closed item
//! of a list, which are lines of a catalogue (`disclosure::catalogue`); `53_quay_branches` wants keys in the schema that the
//! text shows.

/// Runs the `main` of a file in `shapes/` as a test.
macro_rules! shapes {
    ($($name:ident: $file:literal),+ $(,)?) => {$(
        mod $name {
            #![allow(unused_imports, dead_code, clippy::needless_borrow, clippy::type_complexity)]
            include!($file);

            #[test]
            fn runs() -> Result<(), Box<dyn std::error::Error>> {
                main()
            }
        }
    )+};
}

shapes! {
    s01_stations_by_heading: "../shapes/01_stations_by_heading.rs",
    s03_lock_keeper: "../shapes/03_lock_keeper.rs",
    s05_seed_bank_modes: "../shapes/05_seed_bank_modes.rs",
    s07_tight_recipes: "../shapes/07_tight_recipes.rs",
    s09_letter_choice: "../shapes/09_letter_choice.rs",
    s11_ship_briefing: "../shapes/11_ship_briefing.rs",
    s13_orchard_rules: "../shapes/13_orchard_rules.rs",
    s15_observatory_degrade: "../shapes/15_observatory_degrade.rs",
    s19_log_by_parts: "../shapes/19_log_by_parts.rs",
    s21_crust_grading: "../shapes/21_crust_grading.rs",
    s23_gauge_history: "../shapes/23_gauge_history.rs",
    s25_ferry_dispatch: "../shapes/25_ferry_dispatch.rs",
    s27_tide_archive: "../shapes/27_tide_archive.rs",
    s29_seed_catalogue: "../shapes/29_seed_catalogue.rs",
    s31_reading_room: "../shapes/31_reading_room.rs",
    s33_lantern_walk: "../shapes/33_lantern_walk.rs",
    s43_pump_late_result: "../shapes/43_pump_late_result.rs",
    s41_pilot_replies: "../shapes/41_pilot_replies.rs",
    s35_harbour_open_in_budget: "../shapes/35_harbour_open_in_budget.rs",
    s37_lighthouse_asked_once: "../shapes/37_lighthouse_asked_once.rs",
    s55_pilot_book_budget: "../shapes/55_pilot_book_budget.rs",
    s57_ferry_letters_append: "../shapes/57_ferry_letters_append.rs",
    s61_harbour_saved_talk: "../shapes/61_harbour_saved_talk.rs",
    s59_lighthouse_order_of_time: "../shapes/59_lighthouse_order_of_time.rs",
    s39_mill_request_budget: "../shapes/39_mill_request_budget.rs",
    s45_harbour_tickets: "../shapes/45_harbour_tickets.rs",
    s47_berth_desk: "../shapes/47_berth_desk.rs",
    s49_letter_room: "../shapes/49_letter_room.rs",
    s51_reading_room_file: "../shapes/51_reading_room_file.rs",
    s63_berth_answer: "../shapes/63_berth_answer.rs",
    s65_orchard_structured: "../shapes/65_orchard_structured.rs",
    s67_tide_unknown_fields: "../shapes/67_tide_unknown_fields.rs",
    s69_mole_invented_calls: "../shapes/69_mole_invented_calls.rs",
    s71_tide_bytes: "../shapes/71_tide_bytes.rs",
    s75_stable_items_in_xml: "../shapes/75_stable_items_in_xml.rs",
    s77_pump_reasoning_first: "../shapes/77_pump_reasoning_first.rs",
    s79_kiln_absent_slots: "../shapes/79_kiln_absent_slots.rs",
    s81_shelf_guarded_tags: "../shapes/81_shelf_guarded_tags.rs",
    s83_attic_tag_names: "../shapes/83_attic_tag_names.rs",
    s85_forge_headings: "../shapes/85_forge_headings.rs",
    s87_depot_one_id: "../shapes/87_depot_one_id.rs",
    s89_mill_pieces: "../shapes/89_mill_pieces.rs",
    s91_tower_recaps: "../shapes/91_tower_recaps.rs",
    s93_quarry_stable_bytes: "../shapes/93_quarry_stable_bytes.rs",
    s95_shop_loop: "../shapes/95_shop_loop.rs",
}
