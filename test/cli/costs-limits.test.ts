import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve();
});
afterAll(() => cli.close());

const line = (out: string, name: string) => out.split('\n').find((each) => each.startsWith(name));

test('faxdesk costs limits shows what may be spent, and gives an integration a limit of its own', async () => {
  const off = await cli.run(['costs', 'limits', 'show']);
  expect([off.code, line(off.out, 'Active')]).toEqual([
    0,
    expect.stringMatching(/no: no currency is chosen$/u),
  ]);
  const settings = ['SPENDING_CURRENCY=USD', 'SPENDING_MONTH=50', 'SPENDING_PERSON_DAY=5'];
  expect((await cli.run(['settings', 'change', ...settings])).code).toBe(0);
  const on = await cli.run(['costs', 'limits', 'show']);
  expect(line(on.out, 'Each person per day')).toMatch(/\$5\.00$/u);
  expect(line(on.out, 'This month')).toMatch(/\$50\.00 +- +- +\$50\.00 +0$/u);

  const made = await cli.run(['keys', 'create', '--name', 'Lab', '--scope', 'fax:send', '--json']);
  expect(made.code, made.err).toBe(0);
  const { items } = JSON.parse((await cli.run(['integrations', 'list', '--json'])).out) as {
    items: { id: string }[];
  };
  const id = items[0]?.id ?? '';
  const set = await cli.run(['costs', 'limits', 'change', id, '--per-month', '7.5']);
  expect([set.err, line(set.out, 'Own limit per month')]).toEqual(['', expect.stringMatching(/\$7\.50$/u)]);
  expect(line(set.out, 'Today')).toMatch(/\$5\.00/u);
  expect((await cli.run(['costs', 'limits', 'list'])).out).toContain(id);
  expect((await cli.run(['costs', 'limits', 'change', id, '--per-day', 'much'])).code).toBe(9);
  expect((await cli.run(['costs', 'limits', 'remove', id])).code).toBe(0);
  expect((await cli.run(['costs', 'limits', 'list'])).out).not.toContain(id);
});
