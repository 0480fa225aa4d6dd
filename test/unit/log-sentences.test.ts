import { expect, test } from 'vitest';
import { logSentence } from '../../renderer/texts/en/log-sentences.ts';
import { FAX_HISTORY_KINDS } from '../../shared/history-kinds.ts';

test('an entry of the log is a sentence with what was recorded beside it', () => {
  const fax = { kind: 'success', to: '+1202•••0123' };
  expect(logSentence({ message: 'fax changed', facts: fax })).toBe('The fax to +1202•••0123 was delivered.');
  const backup = { name: 'faxdesk-1.zip', size: 700 };
  expect(logSentence({ message: 'a backup was made', facts: backup })).toBe(
    'Faxdesk made the backup faxdesk-1.zip.',
  );
  expect(logSentence({ message: 'a job failed', facts: { kind: 'inbound.fetch' } })).toBe(
    'Background work failed: Received documents to fetch.',
  );
  expect(logSentence({ message: 'the database was checked', facts: {} })).toBe('The database was checked.');
});

test.each(FAX_HISTORY_KINDS)('a fax that is %s has words, also without its number', (kind) => {
  expect(logSentence({ message: 'fax changed', facts: { kind } })).toMatch(/^The fax [a-z ]+\.$/u);
});
