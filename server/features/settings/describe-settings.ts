import type { AnyValue, SettingDefinition } from '../../platform/setting-kinds.ts';
import type { SettingsCatalog } from './catalog.ts';

const HEAD = '| Name | Default | Meaning | Restart | Secret | Environment |\n|---|---|---|---|---|---|';

/** A Markdown table of the settings for each group, for the documentation. */
export function describeSettings({ names, definitionOf }: SettingsCatalog): string {
  const groups = new Set(names.map((name) => definitionOf(name).group));
  const parts = [...groups].map((group) => {
    const rows = names
      .filter((name) => definitionOf(name).group === group)
      .map((name) => describeRow(name, definitionOf(name)));
    return `### ${group}\n\n${HEAD}\n${rows.join('\n')}\n`;
  });
  return parts.join('\n');
}

/** Describes the settings that are read from the environment at every start, as a sentence and a Markdown list. */
export function describeCredentials({ names, definitionOf }: SettingsCatalog): string {
  const credentials = names.filter((name) => definitionOf(name).environment === 'every start');
  const list = credentials.map((name) => `- ${code(name)}`).join('\n');
  return `These are read from the environment at every start, because they are credentials or part of one:\n\n${list}`;
}

function describeRow(name: string, definition: SettingDefinition<AnyValue>): string {
  const choices = definition.choices ? ` One of ${definition.choices.map(code).join(', ')}.` : '';
  const cells = [
    code(name),
    describeValue(definition.default),
    `${definition.help}${choices}${describeOpens(definition)}`.replaceAll('|', '\\|'),
    definition.restart ? 'yes' : 'no',
    definition.secret ? 'yes' : 'no',
    definition.environment === 'every start' ? 'every start, takes precedence' : 'first start only',
  ];
  return `| ${cells.join(' | ')} |`;
}

function describeOpens({ opens }: SettingDefinition<AnyValue>): string {
  return opens.length === 0 ? '' : ` Changing it also requires ${opens.map(code).join(' and ')}.`;
}

function describeValue(value: AnyValue): string {
  if (value === null || (typeof value === 'object' && value.length === 0)) return 'none';
  return code(String(value));
}

function code(text: string): string {
  return `\`${text}\``;
}
