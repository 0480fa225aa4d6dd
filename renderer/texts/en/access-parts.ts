/** The parts of the Access screen, which the palette names too. */
export const accessParts = {
  title: 'Access',
  people: 'People',
  integrations: 'Integrations',
  groups: 'Groups',
  roles: 'Roles',
  assignments: 'Role assignments',
  keys: 'API keys',
  webhooks: 'Webhooks',
  sessions: 'Sessions',
  mailboxes: 'Mailboxes',
  devices: 'Devices',
  audit: 'Security audit',
};
