/** The security audit of the Access screen. */
export const accessAudit = {};
