import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { NewPasskeyAnswer, PasskeyAnswer } from '../../shared/api/access-passkeys.ts';

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
  excludeCredentials?: { id: string }[];
}

interface RequestOptions {
  challenge: string;
  rpId: string;
  allowCredentials?: { id: string }[];
}

/** Deviations from an honest browser and device. */
export interface Faults {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** Nobody showed finger, face or PIN. */
  isUnverified?: boolean;
  /** Nobody touched it. */
  isAbsent?: boolean;
  counter?: number;
  userHandle?: string;
  attestation?: { fmt: string; attStmt: Cbor };
}

interface Credential {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  counter: number;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** A device with passkeys (ES256) and the browser before it, on one page; makes and uses them as WebAuthn says. */
export class SoftwareAuthenticator {
  readonly credentials: Credential[] = [];
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  create(options: CreationOptions, faults: Faults = {}): NewPasskeyAnswer {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const idBytes = randomBytes(32);
    const id = idBytes.toString('base64url');
    const credential = { id, rpId: options.rp.id, userHandle: options.user.id, privateKey, counter: 0 };
    this.credentials.push(credential);
    const attested = Buffer.concat([Buffer.alloc(16), uint16(idBytes.length), idBytes, coseKey(publicKey)]);
    const authData = Buffer.concat([this.#authData(credential, faults, ATTESTED), attested]);
    const { fmt, attStmt } = faults.attestation ?? { fmt: 'none', attStmt: new Map() };
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', authData],
    ]);
    return {
      ...this.#shared(id),
      response: {
        attestationObject: encode(attestation).toString('base64url'),
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, faults).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  sign(options: RequestOptions, faults: Faults = {}): PasskeyAnswer {
    const allowed = options.allowCredentials?.map(({ id }) => id);
    const credential = this.credentials.find(({ id }) => allowed?.includes(id) ?? true);
    if (!credential) throw new Error('the device has no passkey that is allowed');
    credential.counter += 1;
    const authData = this.#authData(credential, faults, 0);
    const clientData = this.#clientData('webauthn.get', options.challenge, faults);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return {
      ...this.#shared(credential.id),
      response: {
        authenticatorData: authData.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        signature: sign('sha256', signed, credential.privateKey).toString('base64url'),
        userHandle: faults.userHandle ?? credential.userHandle,
      },
    };
  }

  #shared(id: string) {
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  #authData({ rpId, counter }: Credential, faults: Faults, flags: number): Buffer {
    const seen = (faults.isAbsent ? 0 : PRESENT) | (faults.isUnverified ? 0 : VERIFIED);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(faults.counter ?? counter);
    const rpIdHash = createHash('sha256')
      .update(faults.rpId ?? rpId)
      .digest();
    return Buffer.concat([rpIdHash, Buffer.of(flags | seen), count]);
  }

  #clientData(type: string, challenge: string, faults: Faults): Buffer {
    const said = {
      type: faults.type ?? type,
      challenge: faults.challenge ?? challenge,
      origin: faults.origin ?? this.#origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(said));
  }
}

type Cbor = number | string | Uint8Array | Cbor[] | Map<Cbor, Cbor>;

function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const fields: [Cbor, Cbor][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ];
  return encode(new Map(fields));
}

/** The part of CBOR (RFC 8949) that passkeys need. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encode)]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(encode)]);
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.of((major << 5) | size);
  return size < 256
    ? Buffer.of((major << 5) | 24, size)
    : Buffer.concat([Buffer.of((major << 5) | 25), uint16(size)]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
