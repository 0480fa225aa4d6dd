/** Header that contains the code of a refusal. */
export const ERROR_CODE_HEADER = 'X-Error-Code';
