/** Keys, mailboxes and devices of the Access screen. */
export const accessKeys = {};
