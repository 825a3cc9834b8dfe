/** The limit of reads that compare a vector with all of a graph (rule 9.7b). */
export const VECTOR_SEARCHES = { name: 'POST /nodes/search/vector', perMinute: 20 };
