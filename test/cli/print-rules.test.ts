import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOUBT } from '../../server/features/print-rules/sentences.ts';
import { IppPrinter } from '../setup/emulators/printer/ipp-printer.ts';
import { eventually } from '../setup/eventually.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
const printer = new IppPrinter();
beforeAll(async () => {
  await printer.open();
  cli = await openCommandLine();
  await cli.serve({ ...sendingSettings(cli.emulator), INBOUND_ENABLED: 'true' });
});
afterAll(async () => {
  await cli.close();
  await printer.close();
});

/** Leaves a printout as a printer that was restarted does after some minutes. */
function putInDoubt(id: string): void {
  const database = new DatabaseSync(join(cli.folder, 'faxdesk.sqlite'));
  database
    .prepare("UPDATE printout SET state = 'doubtful', problem = ?, version = version + 1 WHERE id = ?")
    .run(DOUBT.forgotten, id);
  database.close();
}

test('faxdesk print-rules and printouts set a rule up, and decide about a fax that was not printed', async () => {
  const create = ['print-rules', 'create', 'Desk', '--printer', 'Reception'];
  expect((await cli.run(create)).code).toBe(9);
  const whole = [...create, '--printer-url', printer.url];
  expect((await cli.run([...whole, '--hours', 'at night'])).code).toBe(2);
  expect((await cli.run([...whole, '--mailbox', 'None'])).code).toBe(5);
  const made = await cli.run([...whole, '--hours', 'Mon-Fri 08:00-17:00']);
  expect([made.code, made.err]).toEqual([0, '']);
  expect(made.out).toMatch(/^Hours: +Mon-Fri 08:00-17:00$/mu);
  expect((await cli.run(['print-rules', 'change', 'desk'])).code).toBe(2);
  const changed = await cli.run([
    'print-rules',
    'change',
    'desk',
    '--hours',
    'always',
    '--name',
    'Front desk',
  ]);
  expect(changed.out).toMatch(/^Hours: +always$/mu);
  expect((await cli.run(['print-rules', 'show', 'front desk'])).out).toMatch(/^Printer: +Reception$/mu);
  expect((await cli.run(['print-rules', 'list'])).out).toMatch(/^Front desk +all +Reception +always +on/mu);
  expect((await cli.run(['print-rules', 'check', 'Front desk'])).out).toBe(
    'Example Laser 5 answers and can print faxes.\n',
  );
  printer.reasons = ['media-empty'];
  const checked = await cli.run(['print-rules', 'check', printer.url]);
  expect([checked.code, checked.out]).toEqual([1, expect.stringContaining('has no paper')]);
  printer.reasons = ['none'];
  printer.formats = ['image/jpeg'];
  expect((await cli.run(['inbound', 'test'])).code).toBe(0);
  const id = await eventually(async () => {
    const { items } = await cli.json<{ items: { id: string }[] }>('printouts', 'list', '--state', 'failed');
    expect(items).toHaveLength(1);
    return items[0]?.id ?? '';
  });
  expect((await cli.run(['printouts', 'list'])).out).toMatch(/Front desk +Reception +Not printed/u);
  expect((await cli.run(['printouts', 'confirm', id])).code).toBe(2);
  const decide = ['printouts', 'confirm', id, '--outcome', 'do_not_print'];
  expect((await cli.run([...decide, '--if-version', '1'])).code).toBe(6);
  expect((await cli.run(decide)).out).toMatch(/^State: +Will not be printed$/mu);
  putInDoubt(id);
  const listed = await cli.run(['printouts', 'list', '--state', 'doubtful']);
  expect(listed.out).toMatch(/ Needs a check +/u);
  expect(listed.out.split('\n').slice(-4)).toEqual([
    '',
    `Front desk, Reception: ${DOUBT.forgotten}`,
    `faxdesk printouts confirm ${id} --outcome printed|print_again|do_not_print`,
    '',
  ]);
  expect((await cli.run(decide)).code).toBe(0);
  printer.formats = ['application/pdf'];
  expect((await cli.run(['printouts', 'retry', id])).out).toMatch(/^State: +Waiting to be printed$/mu);
  await eventually(async () => expect(printer.jobs).toHaveLength(1));
  expect((await cli.run(['printouts', 'retry', id])).code).toBe(6);
  expect((await cli.run(['print-rules', 'remove', 'Front desk'])).out).toBe('Removed Front desk.\n');
  expect((await cli.run(['print-rules', 'show', 'Front desk'])).code).toBe(5);
});
