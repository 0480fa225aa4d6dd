import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createTerminalProgram, refusalOf } from '../../server/cli/terminal-session/terminal-program.ts';

/** Commands that run in the console terminal, by group. */
const OFFERED: Readonly<Record<string, string>> = {
  '': 'status watch me health pair notices',
  jobs: 'list show history calendar release cancel schedule change reconcile resend retry refresh',
  inbound:
    'list show readers decode fetch move change turn recover test test-fax blocked block unblock not-junk',
  broadcasts: 'list show pause continue cancel retry',
  cases: 'list show',
  archives: 'removals stop',
  covers: 'list show create remove',
  defaults: 'show change',
  drafts: 'list show change remove',
  signatures: 'list remove',
  work: 'list show assign acknowledge done note reopen settings statistics',
  contacts: 'list show directory create change remove forget-line',
  'contacts opt-outs': 'list create remove',
  routes: 'list show create change remove',
  costs: 'sums numbers plans quote destinations destination',
  'costs limits': 'show list change remove',
  'costs cards': 'list show create change remove',
  connectors: 'list create change remove test oauth',
  'print-rules': 'list show create change remove check',
  printouts: 'list retry confirm',
  deliveries: 'list retry confirm',
  'mail-to-fax': 'list senders allow forbid',
  summary: 'show send',
  owner: 'enroll',
  users: 'list show create change reset-password reset-two-factor reset-quick-sign-in',
  integrations: 'list create change',
  groups: 'list show create change add-member remove-member',
  holds: 'list show create release',
  roles: 'list show create change permissions',
  direct: 'card rotate deliveries',
  'direct partners': 'list create challenge confirm revoke',
  grants: 'list create remove why',
  mailboxes: 'list create change',
  rules: 'list create change remove apply',
  scanners: 'list show',
  sessions: 'list end',
  audit: 'list verify',
  keys: 'list create change rotate replace revoke approve',
  webhooks: 'list create change rotate test remove deliveries delivery retry',
  settings: 'list show revisions validate change remove',
  storage: 'show check move adopt',
  'data-key': 'show replace',
  gateways: 'list',
  https: 'show',
  printer: 'show password',
  telephony: 'check call-log presets',
  signing: 'keys',
};

test('rule (terminal): a new command runs in the terminal only once somebody decided that it may', () => {
  const offered = new Map<string, string[]>();
  const add = (command: Command, words: readonly string[]): void => {
    const group = words.slice(0, -1).join(' ');
    const isOffered = command.commands.length === 0 && refusalOf(command) === null;
    if (isOffered) offered.set(group, [...(offered.get(group) ?? []), command.name()]);
    for (const child of command.commands) add(child, [...words, child.name()]);
  };
  add(createTerminalProgram(), []);
  const found = Object.fromEntries([...offered].map(([group, names]) => [group, names.join(' ')]));
  // It must not read or write files, start a program, or open another address: see OF_THE_COMPUTER.
  expect(found).toEqual(OFFERED);
});
