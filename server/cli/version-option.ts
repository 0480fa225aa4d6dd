import { CommandFailure, EXIT } from './exit-codes.ts';

/** The version that `--if-version` names; null when it was left out. Throws CommandFailure. */
export function parseVersionOption(option: string | undefined): number | null {
  if (option === undefined) return null;
  const version = Number(option);
  if (Number.isInteger(version) && version > 0) return version;
  throw new CommandFailure('--if-version must be a number from 1.', EXIT.usage);
}
