/** Kinds of what is announced in the local network. */
type AnnouncedKind = 'gateway' | 'printer';

/** A service to announce by DNS-SD, while it listens. */
export interface AnnouncedService {
  readonly kind: AnnouncedKind;
  /** Name for people. A number is added where the network has another service with it. */
  readonly name: string;
  /** Type without domain, such as `_faxdesk._tcp`. */
  readonly type: string;
  /** Such as `_universal`. */
  readonly subtypes: readonly string[];
  /** Address at which it listens: one of this computer, `0.0.0.0` or `::`. */
  readonly address: string;
  readonly port: number;
  /** Keys and values for those who find it. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Names under which services are announced now. */
export interface AnnouncedNames {
  /** Host that all of them name, such as `frontdesk-faxdesk.local`. */
  readonly host: string;
  readonly services: Readonly<Partial<Record<AnnouncedKind, string>>>;
}

/** Announces services in the local network (DNS-SD over multicast DNS), and answers who asks for them. */
export interface Announcer {
  /** Host name that is announced, also while nothing is: `<name of this computer>-faxdesk.local`. */
  readonly host: string;
  /** Names that others can find now; null while nothing is announced. */
  readonly announced: AnnouncedNames | null;
  /** Sentence that says why nothing, or not everything, is announced; null when everything is. */
  readonly problem: string | null;
  /**
   * Follows the services, the network interfaces and their addresses. Resolves when the first announcement is sent,
   * after about a second for a new name. Never rejects.
   */
  update(services: readonly AnnouncedService[]): Promise<void>;
  /** Takes everything back in the network, and closes. */
  stop(): Promise<void>;
}
