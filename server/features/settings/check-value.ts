import type { AnyValue } from '../../platform/setting-kinds.ts';
import type { SettingsCatalog } from './catalog.ts';
import type { ValueChecks } from './types.ts';

type CheckedValue =
  | { readonly ok: true; readonly value: AnyValue }
  | { readonly ok: false; readonly type: string; readonly problem: string };

/** Dependencies of the validation of values. */
export interface CheckParts {
  readonly catalog: SettingsCatalog;
  readonly checks: ValueChecks;
}

/** Checks a value by its definition and the rules of other parts. Null means back to the default. */
export function checkValue(name: string, given: unknown, { catalog, checks }: CheckParts): CheckedValue {
  if (given === null) return { ok: true, value: null };
  const parsed = catalog.definitionOf(name).schema.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { ok: false, type: issue?.code ?? 'custom', problem: issue?.message ?? 'is not valid' };
  }
  const value = parsed.data;
  const problem = typeof value === 'string' ? (checks[name]?.(value) ?? null) : null;
  return problem === null ? { ok: true, value } : { ok: false, type: 'custom', problem };
}
