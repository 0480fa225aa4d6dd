import { Option } from 'commander';

const CHOICES = new WeakMap<Option, readonly string[]>();

/**
 * Creates an option with a fixed list of values, which completion offers. The gateway checks the value; `rest` follows the
 * list in the description.
 */
export function choiceOption(flags: string, values: readonly string[], rest = ''): Option {
  const option = new Option(flags, `one of ${values.join(', ')}${rest}`);
  CHOICES.set(option, values);
  return option;
}

/** Returns the fixed values of an option; null when it has none. */
export function choicesOf(option: Option): readonly string[] | null {
  return CHOICES.get(option) ?? null;
}

/** Marks the fixed values of an option that describes them itself. */
export function withChoices(option: Option, values: readonly string[]): Option {
  CHOICES.set(option, values);
  return option;
}
