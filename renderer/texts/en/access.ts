/** The Access screen: its frame, people, integrations, groups and sessions. */
export const access = {
  parts: 'Parts of Access',
};
