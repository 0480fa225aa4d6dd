import type { Command } from 'commander';
import { GUARD_CHECKS, GUARD_MODES, type GuardMode } from '../../shared/guard.ts';
import { choiceOption } from './choice-option.ts';
import { collect } from './open-files.ts';

export interface GuardOptions {
  readonly guard?: GuardMode;
  readonly confirmDigits?: string;
  readonly confirm?: readonly string[];
}

export function addGuardOptions(command: Command): Command {
  return command
    .addOption(
      choiceOption(
        '--guard <mode>',
        GUARD_MODES,
        ': refuse does not send where the number or the document looks like a mistake, unless it is confirmed',
      ),
    )
    .option(
      '--confirm-digits <digits>',
      'the last four digits of the number, typed again: confirms the number',
    )
    .addOption(
      choiceOption(
        '--confirm <check>',
        GUARD_CHECKS,
        ': confirms what the guard found; once for each check',
      ).argParser(collect),
    );
}

/** Returns the form fields of those that are given. */
export function guardFieldsOf({ guard, confirmDigits, confirm }: GuardOptions) {
  return {
    ...(guard === undefined ? {} : { guard }),
    ...(confirmDigits === undefined ? {} : { guard_digits: confirmDigits }),
    guard_confirmed: [...(confirm ?? [])],
  };
}
