/** A part of the API that works for now and will be removed. */
export interface Deprecation {
  /** Id under which its uses are recorded. */
  readonly id: string;
  /** Address or page that takes its place. */
  readonly successor: string;
  /** Day from which on it may be gone, ISO 8601. */
  readonly sunset: string;
  /** Name for people. */
  readonly what: string;
  /** Sentence that says what to use instead. */
  readonly instead: string;
}

/** Everything deprecated, by the id under which its uses are recorded. Notices, headers and log lines come from here. */
export const DEPRECATIONS = {
  plugins: {
    id: 'plugins',
    successor: '/admin/settings',
    sunset: '2027-11-01',
    what: 'The provider plugins of the API (/plugins)',
    instead: 'Read and change the settings of a provider with GET and PUT /admin/settings.',
  },
  settings_copy: {
    id: 'settings_copy',
    successor: '/admin/settings',
    sunset: '2027-04-01',
    what: 'The recovery copy of the settings (POST /admin/settings/persist)',
    instead: 'Make backups, which contain the settings: System > Backups, or faxdesk backup.',
  },
  assistant_events: {
    id: 'assistant_events',
    successor: '/mcp',
    sunset: '2027-11-01',
    what: 'Assistants over server-sent events (/mcp/sse)',
    instead: 'Change the address in the program of the assistant to /mcp.',
  },
  test_fax: {
    id: 'test_fax',
    successor: '/inbound/test',
    sunset: '2027-11-01',
    what: 'The earlier address for test faxes (POST /admin/inbound/simulate)',
    instead: 'Use POST /inbound/test.',
  },
  provider_addresses: {
    id: 'provider_addresses',
    successor: '/openapi.json',
    sunset: '2027-11-01',
    what: 'Addresses of an earlier release that are set up at the fax provider',
    instead:
      'Enter the present addresses at the provider. They are under Settings > Sending and Settings > Receiving.',
  },
} as const satisfies Readonly<Record<string, Deprecation>>;

export type DeprecationId = keyof typeof DEPRECATIONS;
