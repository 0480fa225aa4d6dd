/** Help pages by the beginning of a screen's address; of several the longest applies. */
export const HELP_PLACES: Readonly<Record<string, string>> = {
  '/send': 'sending',
  '/inbox': 'received-faxes',
  '/work': 'your-work',
  '/work/statistics': 'work-queue',
  '/sent': 'sent-faxes',
  '/sent/calendar': 'schedule',
  '/sent/broadcasts': 'broadcasts',
  '/cases': 'cases',
  '/contacts': 'address-book',
  '/contacts/partners': 'direct-delivery',
  '/contacts/covers': 'covers',
  '/costs': 'costs',
  '/access': 'operating-people',
  '/access/webhooks': 'webhooks',
  '/access/audit': 'operating-audit',
  '/settings': 'operating-settings',
  '/settings/e-mail': 'email',
  '/settings/e-mail-to-fax': 'email-to-fax',
  '/settings/phone-line': 'phone-line',
  '/settings/print-to-fax': 'print-to-fax',
  '/settings/printing': 'print-rules',
  '/settings/routes': 'routing',
  '/settings/scan-to-fax': 'scan-to-fax',
  '/settings/send-folder': 'folders',
  '/system': 'administration',
  '/system/health': 'operating-troubleshooting',
  '/system/computers': 'operating-other-computers',
  '/system/backups': 'operating-backup',
  '/system/data-key': 'operating-data',
  '/system/deliveries': 'email',
  '/system/printouts': 'print-rules',
  '/system/messages': 'email-to-fax',
  '/system/archives': 'archives',
  '/system/holds': 'legal-holds',
  '/system/notices': 'operating-settings',
  '/system/log': 'operating-troubleshooting',
  '/system/terminal': 'terminal',
  '/system/interface': 'integrating',
  '/my-settings': 'your-settings',
  '/my-sign-in': 'your-settings',
};
const FIRST_PAGE = 'getting-around';

/** Returns the help page of the screen with that address. */
export function helpPageAt(pathname: string): string {
  for (let place = pathname; place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
    const page = HELP_PLACES[place];
    if (page !== undefined) return page;
  }
  return FIRST_PAGE;
}
