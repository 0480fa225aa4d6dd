import type { HelpPage } from '../renderer/features/console-help/help-page.ts';

/**
 * Pages of the help in the console, in the order in which they are shown: paths below `docs/` by group. The names of the
 * groups are texts of the console.
 */
export const HELP_PAGES = {
  begin: ['first-hour', 'help/getting-around'],
  daily: [
    'help/sending',
    'help/sent-faxes',
    'help/received-faxes',
    'help/your-work',
    'help/address-book',
    'help/your-settings',
  ],
  sending: [
    'broadcasts',
    'cases',
    'answering',
    'covers',
    'drafts',
    'changing-pages',
    'schedule',
    'wrong-numbers',
    'print-to-fax',
    'scan-to-fax',
    'folders',
    'email-to-fax',
    'encoded-pages',
    'direct-delivery',
  ],
  receiving: ['work-queue', 'contacts', 'email', 'print-rules', 'reports', 'evidence'],
  administration: [
    'help/administration',
    'operating/people',
    'operating/other-computers',
    'operating/many-computers',
    'operating/backup',
    'operating/upgrade',
    'operating/troubleshooting',
    'operating/documents',
    'operating/data',
    'operating/audit',
    'operating/hardening',
    'operating/settings',
    'routing',
    'costs',
    'phone-line',
    'network',
    'legal-holds',
    'archives',
    'importing',
    'terminal',
    'settings',
  ],
  programs: ['integrating', 'webhooks', 'test-keys', 'assistants'],
} as const satisfies Record<HelpPage['group'], readonly string[]>;

/** Returns the files that the help is made of, below the root of the repository. */
export function helpSources(): string[] {
  return [
    ...Object.values(HELP_PAGES)
      .flat()
      .map((path) => `docs/${path}.md`),
    'docs/screens',
    'docs/images',
  ];
}

/** Returns the name of a page in the address: that of its file; pages for people who run Faxdesk keep their folder. */
export function helpIdOf(path: string): string {
  return path.replace(/^help\//u, '').replaceAll('/', '-');
}
