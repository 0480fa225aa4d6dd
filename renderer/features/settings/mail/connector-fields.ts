import { ConnectorIn, SUBJECT_PLACEHOLDERS } from '../../../../shared/api/intake.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { MailSecurity } from '../../../../shared/mail-server.ts';
import type { Connector } from '../../../api/intake.ts';
import { t } from '../../../texts/mail-connectors.ts';
import { formatCount } from '../../../ui/format.ts';
import { SERVICES } from './mail-services.ts';

const words = t.mailConnectors.rules;

/** Values of the form of a connector, as typed. */
export interface TypedConnector {
  readonly name: string;
  readonly host: string;
  readonly port: string;
  readonly security: MailSecurity;
  readonly username: string;
  /** Empty keeps the stored one. */
  readonly password: string;
  readonly from: string;
  /** One address per line. */
  readonly recipients: string;
  readonly number: string;
  readonly subject: string;
  readonly isOn: boolean;
}

type FieldName = keyof TypedConnector;
/** Sentence for each invalid field. */
export type FieldProblems = { readonly [Name in FieldName]?: string };

/** Returns the form values of a stored connector, or those of a new one. */
export function formValuesOf(connector: Connector | undefined): TypedConnector {
  const { own } = SERVICES;
  return {
    name: connector?.name ?? '',
    host: connector?.host ?? own.host,
    port: String(connector?.port ?? own.port),
    security: connector?.security ?? own.security,
    username: connector?.username ?? '',
    password: '',
    from: connector?.from_address ?? '',
    recipients: connector?.recipients.join('\n') ?? '',
    number: connector?.match_number ?? '',
    subject: connector?.subject_template ?? ConnectorIn.shape.subject_template.parse(undefined),
    isOn: connector?.enabled ?? true,
  };
}

const parseAddresses = (text: string): string[] =>
  text
    .split(/[\s,;]+/u)
    .map((line) => line.trim())
    .filter(Boolean);

/** Returns the body of the request that saves the form. Without a sign-in name there is no password either. */
export function bodyOf(typed: TypedConnector, version: number | null) {
  const username = typed.username.trim();
  return {
    name: typed.name.trim(),
    host: typed.host.trim(),
    port: Number(typed.port.trim() || Number.NaN),
    security: typed.security,
    username,
    password: username === '' ? '' : typed.password || null,
    from_address: typed.from.trim(),
    recipients: parseAddresses(typed.recipients),
    match_number: typed.number.trim() || null,
    subject_template: typed.subject.trim(),
    enabled: typed.isOn,
    version,
  };
}

/**
 * Returns true when the stored password would be sent to another server or for another user name: then it has to be
 * typed again.
 */
export function needsPassword(typed: TypedConnector, connector: Connector | undefined): boolean {
  if (!connector?.has_password || typed.username.trim() === '') return false;
  const body = bodyOf(typed, null);
  return (['host', 'port', 'username', 'security'] as const).some((name) => body[name] !== connector[name]);
}

/** Validates the input by itself; `isNumber` returns true for a complete phone number. */
export function problemsOf(
  typed: TypedConnector,
  connector: Connector | undefined,
  isNumber: (text: string) => boolean,
): FieldProblems {
  const body = bodyOf(typed, null);
  const { shape } = ConnectorIn;
  const isGood = (name: 'name' | 'host' | 'from_address' | 'username' | 'port') =>
    shape[name].safeParse(body[name]).success;
  const number = body.match_number;
  const problems: { [Name in FieldName]?: string | false | null } = {
    name: lineProblem(body.name, isGood('name')),
    host: !isGood('host') && (body.host === '' ? words.missing : words.host),
    port: !isGood('port') && words.port,
    username: !isGood('username') && words.invisible,
    password: typed.password === '' && needsPassword(typed, connector) && t.mailConnectors.form.passwordAgain,
    from: !isGood('from_address') && words.address,
    recipients: recipientsProblem(body.recipients),
    number: number !== null && number !== connector?.match_number && !isNumber(number) && words.number,
    subject: subjectProblem(body.subject_template),
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem));
}

function lineProblem(text: string, isGood: boolean): string | null {
  if (text === '') return words.missing;
  return isGood ? null : words.invisible;
}

function recipientsProblem(addresses: readonly string[]): string | null {
  if (addresses.length === 0) return words.noRecipient;
  const wrong = addresses.find((address) => !ConnectorIn.shape.from_address.safeParse(address).success);
  if (wrong !== undefined) return words.badRecipient(wrong);
  const max = LIMITS.connector.recipients;
  return addresses.length > max ? words.tooMany(formatCount(max)) : null;
}

function subjectProblem(subject: string): string | null {
  const known: readonly string[] = SUBJECT_PLACEHOLDERS;
  const unknown = [...subject.matchAll(/\{([^{}]*)\}/gu)]
    .map(([, name = '']) => name)
    .find((name) => !known.includes(name));
  if (unknown !== undefined) return words.subject(unknown);
  return lineProblem(subject, ConnectorIn.shape.subject_template.safeParse(subject).success);
}
