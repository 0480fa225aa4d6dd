import type { RemoteInfo } from 'node:dgram';
import { setTimeout as delay } from 'node:timers/promises';
import type { DecodedPacket, RecordType } from 'dns-packet';
import { errorCode } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { conflictingNames } from './conflicts.ts';
import { labelOf, numberedLabel } from './labels.ts';
import { type LinkSocket, openLinkSocket, PORT } from './link-socket.ts';
import { type Link, linksFor } from './links.ts';
import type { AnnouncedNames, AnnouncedService, Announcer } from './port.ts';
import {
  type AnnouncedRecord,
  answersTo,
  forLegacy,
  goodbyes,
  instanceName,
  type NamedService,
  recordsOf,
} from './records.ts';
import { createSendLimit, type SendLimit } from './send-limit.ts';

/** RFC 6762, 8.1 and 8.3. */
const PROBES = 3;
const PROBE_MS = 250;
const SECOND_ANNOUNCEMENT_MS = 1_000;
/** After so many other names the network is against us, or full of gateways: nothing is announced until a change. */
const MAX_RENAMES = 10;

const AUTHORITATIVE = 1 << 10;
/** The types of the package have no name for a question about every record. */
const ANY = 'ANY' as RecordType;

const BUSY_PORT =
  'Other computers cannot find Faxdesk: the system does not let it use UDP port 5353. Close the program that uses the port alone, or turn off HTTPS_ANNOUNCED.';
const NO_NAME =
  'Other computers cannot find Faxdesk: every name it tried is in use in the network. Change FAX_ORGANIZATION.';

const REFUSED_PORT = ['EADDRINUSE', 'EACCES'];

interface OpenLink {
  readonly link: Link;
  readonly socket: LinkSocket;
  readonly limit: SendLimit;
}

/** Creates what announces services with the name of this computer, such as `frontdesk`. */
export function createAnnouncer(parts: { readonly logger: Logger; readonly hostLabel: string }): Announcer {
  return new MulticastAnnouncer(parts);
}

class MulticastAnnouncer implements Announcer {
  readonly #logger: Logger;
  readonly #hostLabel: string;
  readonly #open = new Map<string, OpenLink>();
  /** Numbers behind names that are in use elsewhere, by name. */
  readonly #numbers = new Map<string, number>();
  #wanted: readonly AnnouncedService[] = [];
  #services: readonly NamedService[] = [];
  /** Names for which another computer answered while they are probed. */
  #conflicts = new Set<string>();
  #state: 'silent' | 'probing' | 'announced' = 'silent';
  #renames = 0;
  #problem: string | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  #secondTimer: NodeJS.Timeout | undefined;

  constructor({ logger, hostLabel }: { readonly logger: Logger; readonly hostLabel: string }) {
    this.#logger = logger;
    this.#hostLabel = `${hostLabel}-faxdesk`;
  }

  get host(): string {
    return `${numberedLabel(this.#hostLabel, this.#numbers.get(this.#hostLabel) ?? 1, '-')}.local`;
  }

  get problem(): string | null {
    return this.#problem;
  }

  get announced(): AnnouncedNames | null {
    if (this.#state !== 'announced' || this.#open.size === 0) return null;
    const services = Object.fromEntries(this.#services.map(({ kind, label }) => [kind, label]));
    return { host: this.host, services };
  }

  async update(services: readonly AnnouncedService[]): Promise<void> {
    this.#work = this.#work.then(() => this.#update(services));
    await this.#work;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#work;
    clearTimeout(this.#secondTimer);
    if (this.#state === 'announced') await this.#sendToAll((records) => goodbyes(records));
    this.#state = 'silent';
    this.#closeLinks([...this.#open.keys()]);
  }

  async #update(services: readonly AnnouncedService[]): Promise<void> {
    if (this.#isStopped) return;
    const before = { services: JSON.stringify(this.#wanted), links: this.#openKeys };
    const isSame = before.services === JSON.stringify(services);
    const links = services.flatMap(({ address }) => linksFor(address));
    const wanted = new Map(links.map((link) => [link.key, link]));
    if (!isSame && this.#state === 'announced') await this.#takeBack(services);
    this.#closeLinks([...this.#open.keys()].filter((key) => !wanted.has(key)));
    const linkProblem = await this.#openLinks([...wanted.values()]);
    if (!isSame) this.#renames = 0;
    this.#wanted = services;
    const isUnchanged = isSame && this.#openKeys === before.links;
    if (!isUnchanged || this.#state !== 'announced') await this.#claim();
    this.#problem = linkProblem ?? (this.#conflicts.size > 0 ? NO_NAME : null);
  }

  get #openKeys(): string {
    return JSON.stringify([...this.#open.keys()]);
  }

  /** Takes back what is announced and will no longer be. */
  async #takeBack(services: readonly AnnouncedService[]): Promise<void> {
    const keyAt = ({ kind, name, address }: AnnouncedService) => JSON.stringify([kind, name, address]);
    const kept = services.map(keyAt);
    const names = this.#services.filter((each) => !kept.includes(keyAt(each))).map(instanceName);
    const isGone = (record: AnnouncedRecord) =>
      services.length === 0 ||
      names.includes(record.name) ||
      (record.type === 'PTR' && names.includes(record.data));
    await this.#sendToAll((records) => goodbyes(records).filter(isGone));
  }

  /** Returns a sentence when the system does not allow it. */
  async #openLinks(links: readonly Link[]): Promise<string | null> {
    let problem: string | null = null;
    for (const link of links) {
      if (this.#open.has(link.key)) continue;
      try {
        const socket = await openLinkSocket(link, (packet, from) => this.#receive(link.key, packet, from));
        this.#open.set(link.key, { link, socket, limit: createSendLimit() });
      } catch (error) {
        // An interface without multicast, such as that of a tunnel, is left out.
        if (REFUSED_PORT.includes(errorCode(error) ?? '')) problem = BUSY_PORT;
        this.#logger.debug({ error, link: link.key }, 'a network interface has no multicast');
      }
    }
    return problem;
  }

  #closeLinks(keys: readonly string[]): void {
    for (const key of keys) {
      this.#open.get(key)?.socket.close();
      this.#open.delete(key);
    }
  }

  /** Finds names that nobody else has, and announces them. */
  async #claim(): Promise<void> {
    clearTimeout(this.#secondTimer);
    this.#state = 'silent';
    do {
      this.#services = this.#wanted.map((service) => this.#named(service));
      this.#conflicts = new Set();
      if (this.#services.length === 0 || this.#open.size === 0) return;
      this.#state = 'probing';
      await this.#probe();
      this.#state = 'silent';
      if (this.#isStopped) return;
      this.#rename();
    } while (this.#conflicts.size > 0 && this.#renames < MAX_RENAMES);
    if (this.#conflicts.size > 0) return;
    this.#state = 'announced';
    const announce = () => this.#sendToAll((records) => records);
    await announce();
    this.#secondTimer = setTimeout(() => void announce(), SECOND_ANNOUNCEMENT_MS);
    this.#secondTimer.unref();
    this.#logger.info({ names: this.announced }, 'other computers can find the gateway');
  }

  async #probe(): Promise<void> {
    // Computers that start together do not ask together (RFC 6762, 8.1).
    await delay(Math.random() * PROBE_MS, undefined, { ref: false });
    for (let sent = 0; sent < PROBES && this.#conflicts.size === 0 && !this.#isStopped; sent += 1) {
      await Promise.all(
        [...this.#open.values()].map(({ link, socket }) => {
          const claims = this.#recordsOn(link).filter(({ type, flush }) => flush === true && type !== 'TXT');
          const names = [...new Set(claims.map(({ name }) => name))];
          const questions = names.map((name) => ({ name, type: ANY, class: 'IN' as const }));
          const authorities = claims.map((record) => ({ ...record, flush: false }));
          return socket.send({ type: 'query', questions, authorities });
        }),
      );
      await delay(PROBE_MS, undefined, { ref: false });
    }
  }

  #rename(): void {
    if (this.#conflicts.size === 0) return;
    this.#renames += 1;
    const increase = (key: string) => this.#numbers.set(key, (this.#numbers.get(key) ?? 1) + 1);
    const { host } = this;
    const taken = this.#services.filter((service) => this.#conflicts.has(instanceName(service)));
    if (this.#conflicts.has(host)) increase(this.#hostLabel);
    for (const service of taken) increase(keyOf(service));
  }

  #receive(key: string, packet: DecodedPacket, from: RemoteInfo): void {
    const open = this.#open.get(key);
    if (open === undefined || this.#state === 'silent') return;
    // Responders answer from this port alone (RFC 6762, 6): any program could send from another one.
    if (packet.type === 'response' && from.port !== PORT) return;
    const own = [...this.#open.values()].flatMap(({ link }) => this.#recordsOn(link));
    const conflicts = conflictingNames(packet, own);
    if (this.#state === 'probing') {
      for (const name of conflicts) this.#conflicts.add(name);
      return;
    }
    if (packet.type === 'query') this.#answer(open, packet, from);
    else if (conflicts.size > 0) this.#defend();
  }

  /** Another computer has one of our names: both probe again, and one of them takes another name. */
  #defend(): void {
    if (this.#renames >= MAX_RENAMES) return;
    this.#renames += 1;
    this.#state = 'silent';
    this.#work = this.#work.then(() => (this.#isStopped ? undefined : this.#claim()));
  }

  #answer({ link, socket, limit }: OpenLink, query: DecodedPacket, from: RemoteInfo): void {
    const found = answersTo(query, this.#recordsOn(link));
    if (found === null) return;
    if (from.port !== PORT) {
      if (!limit.takeLegacy()) return;
      const { id, questions } = query;
      const answers = forLegacy(found.answers);
      const additionals = forLegacy(found.additionals);
      void socket.send({ type: 'response', id, flags: AUTHORITATIVE, questions, answers, additionals }, from);
      return;
    }
    const isProbe = (query.authorities ?? []).length > 0;
    const answers = found.answers.filter((record) => limit.take(record, isProbe));
    if (answers.length === 0) return;
    void socket.send({ type: 'response', flags: AUTHORITATIVE, answers, additionals: found.additionals });
  }

  async #sendToAll(choose: (records: AnnouncedRecord[]) => AnnouncedRecord[]): Promise<void> {
    await Promise.all(
      [...this.#open.values()].map(({ link, socket }) => {
        const answers = choose(this.#recordsOn(link));
        return answers.length === 0
          ? Promise.resolve()
          : socket.send({ type: 'response', flags: AUTHORITATIVE, answers });
      }),
    );
  }

  #recordsOn(link: Link): AnnouncedRecord[] {
    return recordsOf(this.#services, this.host, link);
  }

  #named(service: AnnouncedService): NamedService {
    const number = this.#numbers.get(keyOf(service)) ?? 1;
    return { ...service, label: numberedLabel(labelOf(service.name), number, ' ') };
  }
}

/** A name that changes is a new one, without the number of the former. */
const keyOf = ({ kind, name }: AnnouncedService) => JSON.stringify([kind, name]);
