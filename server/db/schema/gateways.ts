/** A gateway that uses the database, since it was started and until it is stopped. Only on PostgreSQL. */
export interface GatewayTable {
  /** Of its data folder: a gateway that is started again keeps it. */
  id: string;
  /** Another one at each start. */
  run: string;
  /** Computer and port. */
  name: string;
  release: string;
  /** Gateways of one number can work side by side. */
  works_with: number;
  /** 1 when other gateways may use the database at the same time. */
  several: number;
  /** Epoch milliseconds by the clock of the database, as all times of these tables. */
  started_at: number;
  seen_at: number;
}

/** One row: the gateway that does the background work. */
interface WorkPermitTable {
  /** Constant, so that there is only one row. */
  key: 'work';
  /** Null when it was given back. */
  run: string | null;
  gateway_id: string | null;
  /** Grows each time that another start of a gateway gets it. */
  number: number;
  until: number;
}

export interface GatewaysTables {
  gateway: GatewayTable;
  work_permit: WorkPermitTable;
}
