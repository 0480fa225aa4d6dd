/** One row: which gateway makes the daily backup just now. */
export interface BackupLeaseTable {
  /** Always the same word, so that there is one row whoever writes it first. */
  key: 'daily';
  /** Another one at every start of a gateway. */
  holder: string;
  /** Until when others leave it to the holder, unless that says so again. */
  until: string;
}

export interface ConsoleTables {
  backup_lease: BackupLeaseTable;
}
