/** Recorded uses of a deprecated part by one user; times in ISO 8601 UTC. */
export interface DeprecatedUse {
  readonly subject: string;
  readonly userId: string;
  readonly userName: string;
  readonly firstAt: string;
  readonly lastAt: string;
}
