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

/** One row in a store that an installation is moved to or was moved from; none in any other. */
export interface StoreMoveTable {
  /** Constant, so that there is only one row. */
  key: 'move';
  /** The same in both stores of a move. */
  id: string;
  /**
   * `arriving` in a store that is being filled, `arrived` in one that is complete, `moved` in one that the installation has
   * left. A gateway starts only on the second.
   */
  state: 'arriving' | 'arrived' | 'moved';
  /** The other store of the move, in words without a password. */
  place: string;
  /** Installation that is moved, and the generation of its store when the move began. */
  installation: string;
  generation: number;
  /** ISO 8601 UTC. */
  at: string;
  /** JSON: the table that is being filled and the key of its last row; null before the first and in a state other than `arriving`. */
  progress: string | null;
}

/** Requests that count against a limit of all gateways. */
interface RequestCountTable {
  /** Limit and caller. */
  name: string;
  /** JSON of pairs: epoch second by the clock of the database, and the requests admitted in it. */
  counts: string;
  /** Epoch second from which on nothing of it counts. */
  ends_at: number;
}

export interface GatewaysTables {
  gateway: GatewayTable;
  store_move: StoreMoveTable;
  work_permit: WorkPermitTable;
  request_count: RequestCountTable;
}
