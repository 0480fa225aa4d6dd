/**
 * Characters that nobody sees: control and format characters, among them those that turn the writing direction, separators
 * of lines, and fillers. In a name they make one thing look like another.
 */
const INVISIBLE = '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\u034f\u115f\u1160\u3164\uffa0';

/** Matches one line without them. */
export const VISIBLE_LINE = new RegExp(`^[^${INVISIBLE}]*$`, 'u');
/** Matches text of several lines without them. */
export const VISIBLE_TEXT = new RegExp(`^(?:[^${INVISIBLE}]|\\n)*$`, 'u');
/** Finds each of them. */
export const INVISIBLE_CHARACTERS = new RegExp(`[${INVISIBLE}]`, 'gu');

export const VISIBLE_RULE = 'must have no control or invisible characters';
