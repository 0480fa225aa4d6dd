import type { MailSecurity } from '../../../../shared/mail-server.ts';

/** Preset of an e-mail service: the server for outgoing messages. */
interface Server {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
}

export type ServiceName = 'microsoft' | 'google' | 'own';

export const SERVICES: Readonly<Record<ServiceName, Server>> = {
  microsoft: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
  google: { host: 'smtp.gmail.com', port: 587, security: 'starttls' },
  own: { host: '', port: 587, security: 'starttls' },
};

/** Returns the service that runs the server. */
export function serviceOf(host: string): ServiceName {
  const typed = host.trim().toLowerCase();
  return (['microsoft', 'google'] as const).find((name) => SERVICES[name].host === typed) ?? 'own';
}

/** Usual ports of servers, by kind of encryption. */
export const DEFAULT_PORTS: Readonly<Record<MailSecurity, number>> = { starttls: 587, tls: 465, none: 25 };
