import { type AnyValue, definitionOf, SETTING_NAMES, type SettingName } from './definitions.ts';

const HEAD = '| Name | Default | Meaning | Restart | Secret | Environment |\n|---|---|---|---|---|---|';

/** A Markdown table of the settings for each group, for the documentation. */
export function describeSettings(): string {
  const groups = new Set(SETTING_NAMES.map((name) => definitionOf(name).group));
  const parts = [...groups].map((group) => {
    const rows = SETTING_NAMES.filter((name) => definitionOf(name).group === group).map(describeRow);
    return `### ${group}\n\n${HEAD}\n${rows.join('\n')}\n`;
  });
  return parts.join('\n');
}

function describeRow(name: SettingName): string {
  const definition = definitionOf(name);
  const choices = definition.choices ? ` One of ${definition.choices.map(code).join(', ')}.` : '';
  const cells = [
    code(name),
    describeValue(definition.default),
    `${definition.help}${choices}`.replaceAll('|', '\\|'),
    definition.restart ? 'yes' : 'no',
    definition.secret ? 'yes' : 'no',
    definition.environment === 'every start' ? 'every start, takes precedence' : 'first start only',
  ];
  return `| ${cells.join(' | ')} |`;
}

function describeValue(value: AnyValue): string {
  if (value === null || (typeof value === 'object' && value.length === 0)) return 'none';
  return code(String(value));
}

function code(text: string): string {
  return `\`${text}\``;
}
