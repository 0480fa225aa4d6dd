import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    settings: {
      FAX_ORGANIZATION: 'Alder Street Clinic',
      FAX_NUMBER: '+15035550119',
      FAX_DISABLED: 'true',
    },
  });
});
afterAll(() => gateway.close());

test('a problem report has releases, counts, faults, settings and the log, and no personal data', async () => {
  const { id } = await gateway.send({ to: '+12025550123' });
  const folder = join(gateway.dataFolder, 'logs');
  await mkdir(folder, { recursive: true });
  const stack = `Error: Mara Okafor\n    at run (file://${gateway.dataFolder}/server/jobs/queue.ts:1:2)`;
  const lines = [
    { msg: 'a fax was accepted', pages: 3, to: '+12025550123', file: 'referral of Okafor.pdf' },
    { msg: 'The mailbox Front desk Portland is full.' },
    { msg: 'a job failed', kind: 'inbound.fetch', error: { name: 'Error', message: 'Mara Okafor', stack } },
  ].map((line) =>
    JSON.stringify({ level: 'info', time: '2026-11-20T10:00:00.000Z', logger: 'gateway:x', ...line }),
  );
  await writeFile(join(folder, 'gateway.log'), `${lines.join('\n')}\n`);

  const answer = await gateway.request('GET', '/console/problem-report');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="faxdesk-problem.txt"');
  const text = await answer.text();
  for (const part of [
    'Database: sqlite, ',
    'Sent faxes: held 1',
    'sending_off: Sending is off',
    'FAX_DISABLED: true',
    'FAX_NUMBER: set',
    'a fax was accepted pages=3',
    '(a sentence, left out)',
    'kind=inbound.fetch\n  error Error\n    server/jobs/queue.ts:1:2',
  ])
    expect(text).toContain(part);
  for (const planted of [
    'Alder',
    '5035550119',
    '2025550123',
    'Portland',
    'Okafor',
    'Mara',
    gateway.dataFolder,
    id,
  ])
    expect(text).not.toContain(planted);
  expect(text).not.toMatch(/https?:\/\/|127\.0\.0\.1/u);
});

test('it is for callers with the permission to read diagnostics', async () => {
  const made = await gateway.request('POST', '/admin/api-keys', {
    json: { scopes: ['fax:send'], name: 'Sends' },
  });
  const { token } = (await made.json()) as { token: string };
  const answer = await gateway.request('GET', '/console/problem-report', { key: token });
  expect(answer.status).toBe(403);
  await answer.arrayBuffer();
});
