/**
 * The places of an answer whose items may be selected from, and for each the parameter that selects: dotted paths, with
 * lists for their entries; the empty path is the answer itself.
 */
export type LeanPlaces = Readonly<Record<string, string>>;
