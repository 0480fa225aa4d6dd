import { expect, test } from 'vitest';
import { anonymousFaults, anonymousLine, anonymousOutput } from '../../shared/problem-report.ts';

const line = (facts: Record<string, unknown>, msg = 'a job failed') =>
  JSON.stringify({ time: '2026-11-20T10:00:00.000Z', level: 'warn', logger: 'gateway:jobs', ...facts, msg });

test('a line keeps its time, room, message, counts, switches and codes', () => {
  expect(
    anonymousOutput(
      line({ kind: 'inbound.fetch', count: 3, urgent: true, code: 'ECONNREFUSED', name: 'Mara' }),
    ),
  ).toEqual([
    '2026-11-20T10:00:00.000Z warn gateway:jobs a job failed kind=inbound.fetch count=3 urgent=true code=ECONNREFUSED',
  ]);
  expect(anonymousOutput(line({}, 'the process ended by itself (9)'))[0]).toContain('by itself (9)');
});

test.each([
  ['a name in a sentence', {}, 'The mailbox Front desk of Mara Okafor is full.'],
  ['a folder', {}, 'the folder /home/mara/Faxes cannot be read'],
  ['a number', {}, 'the fax to +12025550123 failed'],
  ['a name in small letters after a code', { kind: 'mara okafor' }, 'a job failed'],
  ['a number as a fact', { to: '+1202•••0123', number: 12025550123 }, 'a job failed'],
  ['a name as the name of a fact', { 'mara okafor': true }, 'a job failed'],
  ['names in a list', { names: ['mara'], state: ['mara'] }, 'a job failed'],
  ['a room', { logger: 'mara@office.example' }, 'a job failed'],
  ['an error', { error: { name: 'mara okafor', message: 'mara', code: 'mara okafor' } }, 'a job failed'],
  ['the cause of an error', { error: { cause: { message: 'mara +12025550123' } } }, 'a job failed'],
])('personal data is left out: %s', (_name, facts, msg) => {
  const text = anonymousOutput(line(facts, msg)).join('\n');
  expect(text).not.toMatch(/mara|okafor|front desk|2025550123|0123/iu);
  expect(text).toContain('2026-11-20T10:00:00.000Z');
});

test('an error keeps the places in the program, without the folder that it is installed in', () => {
  const stack = [
    'Error: mara@office.example refused the fax',
    '    at send (file:///home/mara/server/faxdesk/server/jobs/queue.ts:12:7)',
    '    at C:\\Users\\mara\\Faxdesk\\out\\gateway\\main.mjs:40:3',
    '    at mara (/home/mara/secret.ts:1:2)',
  ].join('\n');
  expect(
    anonymousOutput(line({ error: { name: 'TypeError', code: 'E_ONE', stack } }))[0]?.split('\n'),
  ).toEqual([
    '2026-11-20T10:00:00.000Z warn gateway:jobs a job failed',
    '  error TypeError E_ONE',
    '    server/jobs/queue.ts:12:7',
    '    out\\gateway\\main.mjs:40:3',
  ]);
});

test('output that is no log line keeps only places', () => {
  expect(anonymousOutput('Cannot open /home/mara/faxes of Mara')).toEqual([]);
  expect(anonymousOutput('    at file:///home/mara/app/out/gateway/main.mjs:1:2')).toEqual([
    '    out/gateway/main.mjs:1:2',
  ]);
  expect(anonymousOutput('["mara"]')).toEqual([]);
});

test('faults are named by kind, others only counted', () => {
  expect(
    anonymousFaults([
      'Sending is off. New faxes are held.',
      'The mailbox of Mara is full.',
      'Faxdesk cannot write to /home/mara.',
    ]),
  ).toEqual([
    'sending_off: Sending is off',
    'folder_not_writable: A folder cannot be written to',
    'others, whose sentences are left out: 1',
  ]);
});

test('the worst lines take linear time', () => {
  const timeOf = (run: () => unknown): number => {
    const begun = performance.now();
    run();
    return performance.now() - begun;
  };
  const size = 1_000_000;
  for (const text of [
    '('.repeat(size),
    'a'.repeat(size),
    '    at '.concat('server/'.repeat(size / 7)),
    '(1'.repeat(size / 2),
  ]) {
    const facts = { error: { stack: `x\n    at ${text}` }, state: text };
    const parts = { at: null, level: 'info', room: null, message: text, facts };
    expect(timeOf(() => [anonymousLine(parts), anonymousOutput(text)])).toBeLessThan(2_000);
  }
});
