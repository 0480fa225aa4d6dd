/** Setup of the telephone engine and the trunk from the settings: the input of the configuration files. */
export interface LineSetup {
  readonly engine: EngineSetup;
  readonly trunk: TrunkSetup;
  /** E.164; null when there is none. It is the station id where none is set. */
  readonly ownNumber: string | null;
}

export interface EngineSetup {
  /** The data folder as the engine sees it: absolute, and free of what a dialplan takes for its own. */
  readonly folder: string;
  /** Address at which the engine reaches the gateway, such as `http://127.0.0.1:8080`. */
  readonly gatewayUrl: string;
  /** Settings of the manager interface (AMI). */
  readonly manager: {
    readonly bind: string;
    readonly port: number;
    readonly user: string;
    readonly password: string;
  };
  /** Addresses and ports that the trunk uses; ports are ranges, both ends included. */
  readonly sip: { readonly bind: string; readonly port: number };
  readonly rtpPorts: readonly [number, number];
  readonly udptlPorts: readonly [number, number];
}

export interface TrunkSetup {
  /** At the engine. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly authentication: 'registration' | 'digest' | 'address';
  readonly user: string | null;
  readonly password: string | null;
  /** In the order of preference. */
  readonly codecs: readonly string[];
  readonly t38: boolean;
  readonly t38Correction: 'redundancy' | 'fec' | 'none';
  readonly ecm: boolean;
  /** Bits per second. */
  readonly mostRate: number;
  readonly evenPorts: boolean;
  /** Address of the router in front of the engine; null when it is reached directly. */
  readonly externalAddress: string | null;
  /** Networks that are reached without the router. */
  readonly localNets: readonly string[];
  readonly stationId: string | null;
  /** Addresses besides the host that calls of the carrier come from. */
  readonly sources: readonly string[];
}
