/** Differences between the databases, in one table instead of `if (dialect === …)` throughout the stores. */
export interface Capabilities {
  readonly name: 'sqlite' | 'postgres';
  /** Several processes may claim rows at once (`FOR UPDATE SKIP LOCKED`). */
  readonly skipLocked: boolean;
  /** Everybody else holding a lease is dead: this process owns the data folder alone. */
  readonly soleProcess: boolean;
  /** One connection: transactions that come together share a commit. */
  readonly groupCommit: boolean;
}

export const SQLITE: Capabilities = {
  name: 'sqlite',
  skipLocked: false,
  soleProcess: true,
  groupCommit: true,
};
export const POSTGRES: Capabilities = {
  name: 'postgres',
  skipLocked: true,
  soleProcess: false,
  groupCommit: false,
};
