import type { Command } from 'commander';
import { ApiError } from '../../shared/client/index.ts';

/** Fields of the interface that an option has another name for. */
const OPTION_NAMES: Readonly<Record<string, readonly string[]>> = {
  q: ['search'],
  from_address: ['from'],
  recipients: ['to'],
  match_number: ['number'],
  subject_template: ['subject'],
  username: ['sign-in-name'],
  gateway_url: ['gateway'],
  scopes: ['scope'],
  ceiling: ['scope', 'permission'],
  permissions: ['permission', 'add'],
  expires_at: ['expires'],
  old_expires_at: ['old-expires'],
  send_at: ['at'],
  titles: ['title'],
  from_number: ['from'],
  to_number: ['to', 'number'],
  delivery_version: ['if-version'],
  device_name: ['name'],
  display_name: ['name'],
};

/**
 * Rewrites a refusal that names a field to name the option or argument: the person who typed it has not seen the other
 * name.
 */
export function translateFieldNames(command: Command, error: unknown): unknown {
  if (!(error instanceof ApiError) || !error.is('invalid_request', 'invalid_body', 'invalid_settings'))
    return error;
  const detail = error.detail.replaceAll(
    /"([a-z_]+)(?:\.[a-z_0-9.]+)?"/gu,
    (whole, field: string) => optionName(command, field) ?? whole,
  );
  const { status, code, retryAfter, requestId, body } = error;
  return new ApiError({ status, code, detail, retryAfter, requestId, body });
}

function optionName(command: Command, field: string): string | null {
  const names = [...(OPTION_NAMES[field] ?? []), field.replaceAll('_', '-')];
  const option = command.options.find(({ long }) => names.some((name) => long === `--${name}`));
  if (option?.long) return option.long;
  const argument = command.registeredArguments.find((one) => names.includes(one.name()));
  return argument ? `<${argument.name()}>` : null;
}
