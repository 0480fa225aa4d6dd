/** The header of a refusal that says its code. */
export const ERROR_CODE_HEADER = 'X-Error-Code';
