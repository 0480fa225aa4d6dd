import type { Command } from 'commander';
import { ApiError, type Client } from '../../../shared/client/index.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { readSecrets } from '../read-secrets.ts';
import { facts, table, terminal } from '../terminal.ts';

type Settings = Awaited<ReturnType<Client['settings']['read']>>;
type Setting = Settings['settings'][number];
type Value = string | number | boolean | string[] | null;

export function addSettingsCommands(program: Command): void {
  const settings = program.command('settings').description('Show and change the settings.');
  addReading(settings);
  addChanging(settings);
}

function factsOf(item: Setting): [string, string | null][] {
  const warning: [string, string][] = item.warning === null ? [] : [['Warning', item.warning]];
  const opens: [string, string][] =
    item.opens.length === 0
      ? []
      : [['Permissions to change it', ['settings:write', ...item.opens].join(', ')]];
  return [
    [item.name, formatValue(item)],
    ['From', item.source],
    ['Meaning', item.help],
    ['Needs a restart', item.needs_restart ? 'yes' : 'no'],
    ...opens,
    ...warning,
  ];
}

function addReading(settings: Command): void {
  settings
    .command('list')
    .description('List every setting with its value and where it comes from.')
    .action(
      action(async ({ client, answer }) => {
        answer((await (await client()).settings.read()).settings, (items) =>
          table(
            ['NAME', 'VALUE', 'FROM', 'MEANING'],
            items.map((item) => [item.name, formatValue(item), item.source, item.label]),
          ),
        );
      }),
    );
  settings
    .command('show')
    .description('Show a setting with its value and meaning.')
    .argument('<name>')
    .action(
      action(async ({ client, answer }, name = '') => {
        answer(settingOf((await (await client()).settings.read()).settings, name), (item) =>
          facts(factsOf(item)),
        );
      }),
    );
  settings
    .command('revisions')
    .description('List changes to the settings, newest first.')
    .action(
      action(async ({ client, answer }) => {
        answer((await (await client()).settings.revisions()).items, (items) =>
          table(
            ['REVISION', 'SAVED', 'BY', 'CHANGED'],
            items.map((item) => [
              item.generation,
              item.created_at,
              item.actor.name,
              item.changes.map(({ name }) => name).join(' '),
            ]),
          ),
        );
      }),
    );
  settings
    .command('validate')
    .description("Check a provider's saved credentials. Nothing is sent.")
    .argument('<provider>', 'a value of FAX_BACKEND')
    .action(
      action(async ({ client, answer }, provider = '') => {
        const result = await (await client()).settings.validate({ body: { provider } });
        answer(result, ({ detail }) => detail);
        if (!result.ok) throw new CommandFailure('The provider cannot be used with these credentials.');
      }),
    );
}

function addChanging(settings: Command): void {
  settings
    .command('change')
    .description(
      'Change settings, all or none. NAME=- prompts for the value without showing it, or reads it from standard input; several of them read one line each.',
    )
    .argument('<changes...>', 'NAME=value')
    .action(
      action(async ({ client, answer }, changes) => {
        const { settings: room } = await client();
        const before = await room.read();
        const known = before.settings;
        const pairs = await readChanges(known, changes as unknown as string[]);
        await save(room, { pairs, before }, answer);
      }),
    );
  settings
    .command('remove')
    .description('Set settings back to their defaults.')
    .argument('<names...>')
    .action(
      action(async ({ client, answer }, names) => {
        const { settings: room } = await client();
        const before = await room.read();
        const known = before.settings;
        const pairs = (names as unknown as string[]).map(
          (name) => [settingOf(known, name).name, null] as const,
        );
        await save(room, { pairs, before }, answer);
      }),
    );
}

async function save(
  room: Client['settings'],
  { pairs, before }: { pairs: readonly (readonly [string, Value])[]; before: Settings },
  answer: <T>(value: T, words: (value: T) => string) => void,
): Promise<void> {
  // Somebody who saved in between makes this a conflict instead of being overwritten.
  const body = { changes: Object.fromEntries(pairs), expected_revision_id: before._meta.desired_revision_id };
  const result = await room.write({ body }).catch(async (error: unknown) => {
    throw await explainError(error, room);
  });
  answer(result, () => (result.changed ? 'Saved.' : 'Nothing was changed.'));
  if (result._meta.restart_recommended)
    terminal.note('Some changes take effect after a restart of the gateway.');
}

/** The contract's refusal names only the field; the setting's own help says what would fit. */
async function explainError(error: unknown, room: Client['settings']): Promise<unknown> {
  if (!(error instanceof ApiError) || !error.is('invalid_settings', 'invalid_body')) return error;
  const { detail } = error.body as { detail: { loc: (string | number)[] }[] };
  const names = detail.map(({ loc }) => String(loc.at(-1)));
  const helped = (await room.read()).settings.filter((item) => names.includes(item.name));
  const sentences = helped.map(
    (item) => `${item.name} does not accept that value${describeAllowed(item)}. ${item.help}`,
  );
  return sentences.length === 0 ? error : new CommandFailure(sentences.join('\n'), EXIT.badValues);
}

/** Describes the values that the setting accepts, after a colon. */
function describeAllowed({ type, choices, least, most }: Setting): string {
  switch (type) {
    case 'boolean':
      return ': it must be true or false';
    case 'choice':
      return `: it must be one of ${(choices ?? []).join(', ')}`;
    case 'number':
      return `: it must be a whole number from ${least} to ${most}`;
    case 'text':
    case 'secret':
      return most === null ? '' : `: it can have at most ${most} characters`;
    case 'list':
      return '';
    default:
      return type satisfies never;
  }
}

function settingOf(settings: readonly Setting[], name: string): Setting {
  const found = settings.find((item) => item.name === name.toUpperCase());
  if (found) return found;
  throw new CommandFailure(
    `There is no setting ${name}. "faxdesk settings list" shows all settings.`,
    EXIT.badValues,
  );
}

/** The changes as they are typed; what is `-` comes from standard input, which is read once. Throws CommandFailure. */
async function readChanges(
  settings: readonly Setting[],
  changes: readonly string[],
): Promise<(readonly [string, Value])[]> {
  const given = changes.map((change) => parseChange(settings, change));
  const waiting = given.filter(({ typed }) => typed === '-').map(({ setting }) => setting.name);
  const values = waiting.length === 0 ? [] : await readSecrets(waiting);
  return given.map(({ setting, typed }) => [
    setting.name,
    valueOf(setting, typed === '-' ? (values.shift() ?? '') : typed),
  ]);
}

function parseChange(settings: readonly Setting[], change: string): { setting: Setting; typed: string } {
  const at = change.indexOf('=');
  if (at < 1) throw new CommandFailure(`Write a change as NAME=value, not ${change}.`, EXIT.usage);
  return { setting: settingOf(settings, change.slice(0, at)), typed: change.slice(at + 1) };
}

/** The typed text as the setting's own kind of value; what does not fit is left for the gateway to refuse. */
function valueOf(setting: Setting, typed: string): Value {
  switch (setting.type) {
    case 'boolean':
      return (
        { true: true, yes: true, on: true, false: false, no: false, off: false }[typed.toLowerCase()] ?? typed
      );
    case 'number':
      return typed.trim() === '' || Number.isNaN(Number(typed)) ? typed : Number(typed);
    case 'list':
      return typed
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean);
    default:
      return typed;
  }
}

function formatValue(setting: Setting): string | null {
  if (setting.secret) return setting.is_set ? '(set, secret)' : null;
  return Array.isArray(setting.value)
    ? setting.value.join(', ')
    : setting.value === null
      ? null
      : String(setting.value);
}
