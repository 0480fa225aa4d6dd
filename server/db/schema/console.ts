/** One row: which gateway makes the daily backup just now. */
interface BackupLeaseTable {
  /** Constant, so that there is only one row, whichever process writes first. */
  key: 'daily';
  /** Another one at every start of a gateway. */
  holder: string;
  /** Until when others leave it to the holder, unless that says so again. */
  until: string;
}

export interface ConsoleTables {
  backup_lease: BackupLeaseTable;
}
