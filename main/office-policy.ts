import { PACKAGE_KEY, POLICY_KEY, POLICY_PROFILE, PROFILE_READER } from '../shared/office-policy.ts';
import { type Computer, queryRegistry } from './computer.ts';

/** Fields of the office's file by the names of the values. */
const FIELDS: Readonly<Record<string, string>> = {
  Gateway: 'gateway',
  Certificate: 'certificate',
  StartAtLogin: 'start_at_login',
  Network: 'network',
  Updates: 'updates',
};

/**
 * Reads the decisions of a group policy of Windows or a profile of macOS, by the names of the office's file; empty without any. Null
 * where they cannot be read.
 */
export async function readPolicy(computer: Computer): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    if (computer.platform === 'win32') return named(await readRegistry(computer, POLICY_KEY));
    if (computer.platform === 'darwin') return named(await readProfile(computer));
    return {};
  } catch {
    return null;
  }
}

/** Reads the decisions that the MSI package of Windows took, as `readPolicy` does. */
export async function readPackage(computer: Computer): Promise<Readonly<Record<string, unknown>> | null> {
  if (computer.platform !== 'win32') return {};
  return readRegistry(computer, PACKAGE_KEY).then(named, () => null);
}

/** A text that was left empty decides nothing. */
const named = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(FIELDS).flatMap(([name, field]) =>
      (values[name] ?? '') === '' ? [] : [[field, values[name]]],
    ),
  );

async function readRegistry(computer: Computer, key: string): Promise<Record<string, unknown>> {
  const values = Object.entries((await queryRegistry(computer, key)) ?? {});
  return Object.fromEntries(
    values.map(([name, value]) => [name, name === 'StartAtLogin' ? yesOrNo(value) : value]),
  );
}

/** A group policy writes a number, and the package its property. Anything else stays, so that it is refused. */
function yesOrNo(value: unknown): unknown {
  if (typeof value === 'number') return value === 1;
  return value === 'true' || (value === 'false' ? false : value);
}

async function readProfile({ exists, run }: Computer): Promise<Record<string, unknown>> {
  if (!exists(POLICY_PROFILE)) return {};
  const text = await run(...PROFILE_READER);
  return JSON.parse(text) as Record<string, unknown>;
}
