import type { UpgradeCounts } from './types.ts';

/** The lines of a report about what was moved, in order: words and a number each. */
export function upgradeLines(counts: UpgradeCounts): [string, string][] {
  const of = (name: string) => counts[name] ?? 0;
  return [
    [
      'Sent faxes',
      withParts(of('sent_moved'), of('sent_present'), [
        [of('sent_delivered'), 'delivered'],
        [of('sent_unconfirmed'), 'to confirm'],
        [of('sent_documents'), 'with their document'],
      ]),
    ],
    [
      'Received faxes',
      withParts(of('received_moved'), of('received_present'), [
        [of('received_complete'), 'with their document'],
        [of('received_not_received'), 'not received'],
      ]),
    ],
    [
      'API keys',
      withParts(of('keys_moved'), of('keys_present'), [
        [of('keys_waiting'), 'waiting for approval'],
        [of('keys_left'), 'left out'],
      ]),
    ],
    ['Mailboxes', withParts(of('mailboxes_moved'), of('mailboxes_present'), [])],
    ['Number rules', withParts(of('rules_moved'), of('rules_present'), [[of('rules_left'), 'left out']])],
    ['Seen notifications', withParts(of('notifications_moved'), of('notifications_present'), [])],
    ['Settings', withParts(of('settings_moved'), 0, [])],
  ];
}

function withParts(moved: number, present: number, parts: readonly [number, string][]): string {
  const shown = parts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  if (present > 0) shown.push(`${present} here already`);
  return shown.length === 0 ? String(moved) : `${moved} (${shown.join(', ')})`;
}
