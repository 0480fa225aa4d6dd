/** Uses of a deprecated part by one user. */
interface DeprecatedUseTable {
  /** Id of the deprecated part. */
  subject: string;
  /** Person or integration; the name of a provider where a provider calls. */
  user_id: string;
  user_name: string;
  first_at: string;
  last_at: string;
}

export interface NoticesTables {
  deprecated_use: DeprecatedUseTable;
}
