import { expect, test } from 'vitest';
import { AUDIT_OPERATIONS } from '../../shared/audit-operations.ts';
import { auditSentence } from '../../shared/audit-sentences.ts';

const MARA = { id: 'p1', name: 'Mara Okafor' };

const sentenceOf = (operation: string, details = {}, actor: { id: string | null; name: string } = MARA) =>
  auditSentence({ operation, outcome: 'done', actor, details });

test.each([
  ['backup.make', {}, 'Mara Okafor made a backup'],
  ['session.revoke', { principal: 'Jonas' }, 'Mara Okafor ended a session of Jonas'],
  [
    'user.change',
    { person: 'Jonas', enabled: { from: true, to: false } },
    'Mara Okafor changed the person Jonas',
  ],
  ['user.reset_password', { login: 'jonas' }, 'Mara Okafor gave jonas a temporary password'],
  [
    'assignment.create',
    { subject: 'Jonas', role: 'Clerk', resource: 'Referrals' },
    'Mara Okafor gave Jonas the role Clerk for Referrals',
  ],
  ['settings.change', { changes: [{ name: 'A' }, { name: 'B' }] }, 'Mara Okafor changed 2 settings'],
  ['integration.create', {}, 'Mara Okafor created an integration'],
])('%s is a sentence with the actor, the action and its object', (operation, details, sentence) => {
  expect(sentenceOf(operation, details)).toBe(sentence);
});

test('an actor that is not a person is named in words', () => {
  expect(sentenceOf('backup.make', {}, { id: 'bootstrap', name: 'Installation key' })).toBe(
    'The installation key made a backup',
  );
  expect(sentenceOf('installation.restore', {}, { id: null, name: 'Command line' })).toBe(
    'Someone at the command line restored the installation from a backup',
  );
});

test.each([
  [
    'document.opened',
    { document: 'received fax' },
    'received',
    'opened the received fax from Alder Pharmacy',
  ],
  ['document.printed', { document: 'sent fax' }, 'sent', 'printed the sent fax to Alder Pharmacy'],
  [
    'document.printed',
    { document: 'transmission report' },
    'sent',
    'printed the transmission report of the fax to Alder Pharmacy',
  ],
  ['inbound.move', { to: 'Lab' }, 'received', 'moved the received fax from Alder Pharmacy to Lab'],
] as const)('%s of %j names the fax', (operation, details, direction, sentence) => {
  const fax = { direction, name: 'Alder Pharmacy', number: '+12025550123' };
  const record = { operation, outcome: 'done', actor: MARA, details } as const;
  expect(auditSentence({ ...record, fax })).toBe(`Mara Okafor ${sentence}`);
  const shown = auditSentence({ ...record, fax: { ...fax, name: null } }, () => '+1 202 555 0123');
  expect(shown).toContain('+1 202 555 0123');
});

test('a refused operation is described as an attempt', () => {
  const refused = { operation: 'key.create', outcome: 'refused', actor: MARA, details: {} } as const;
  expect(auditSentence(refused)).toBe('Mara Okafor tried to create an API key and was refused');
});

test.each(Object.keys(AUDIT_OPERATIONS))(
  '%s is a sentence without a code, whatever was recorded',
  (operation) => {
    for (const outcome of ['done', 'refused'] as const) {
      const sentence = auditSentence({ operation, outcome, actor: MARA, details: {} });
      expect(sentence).toMatch(/^Mara Okafor [a-z][A-Za-z ,-]+[a-zA-Z]$/u);
      expect(sentence).not.toMatch(/ {2}|undefined/u);
    }
  },
);
