/**
 * Header with the id of an act of a person. A request that repeats it within a day gets the result of the first one, and
 * nothing is carried out twice.
 */
export const ACT_ID_HEADER = 'X-Act-Id';
