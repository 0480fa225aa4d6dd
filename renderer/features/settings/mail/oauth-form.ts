import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConnectorOAuthIn } from '../../../../shared/api/intake-oauth.ts';
import type { MailOAuthProvider } from '../../../../shared/mail-server.ts';
import { type Connector, connectorsQuery, mailOAuth } from '../../../api/intake.ts';
import { queryClient } from '../../../api/queries.ts';
import { t } from '../../../texts/mail-connectors.ts';
import { announce } from '../../../ui/live-region.tsx';
import { serviceOf } from './mail-services.ts';

const words = t.mailOAuth;

interface TypedOAuth {
  readonly provider: MailOAuthProvider;
  readonly client_id: string;
  readonly client_secret: string;
  readonly refresh_token: string;
  readonly tenant: string;
}

type FieldName = Exclude<keyof TypedOAuth, 'provider'>;

const refetchConnectors = () => queryClient.invalidateQueries({ queryKey: connectorsQuery.queryKey });

/** Returns the form for the values a person got at the provider. Stored values are never read. */
export function useOAuthForm({ id, name, version, host, oauth_provider }: Connector, onDone: () => void) {
  const service = serviceOf(host);
  const [typed, setTyped] = useState<TypedOAuth>({
    provider: oauth_provider ?? (service === 'google' ? 'google' : 'microsoft'),
    client_id: '',
    client_secret: '',
    refresh_token: '',
    tenant: '',
  });
  const [isChecked, setChecked] = useState(false);
  const done = async (sentence: string) => {
    await refetchConnectors();
    announce(sentence);
    onDone();
  };
  const save = useMutation({
    mutationFn: () => mailOAuth.setConnectorOAuth({ params: { id }, body: bodyOf(typed, version) }),
    onSuccess: () => done(words.saved(name)),
  });
  const remove = useMutation({
    mutationFn: () => mailOAuth.removeConnectorOAuth({ params: { id } }),
    onSuccess: () => done(words.removed(name)),
  });
  const problems = problemsOf(typed, version);
  return {
    typed,
    type: (change: Partial<TypedOAuth>) => setTyped((before) => ({ ...before, ...change })),
    problems: isChecked ? problems : {},
    submit: () => {
      setChecked(true);
      if (Object.keys(problems).length === 0 && !save.isPending) save.mutate();
    },
    isPending: save.isPending,
    remove,
    error: save.error ?? remove.error,
  };
}

export type OAuthForm = ReturnType<typeof useOAuthForm>;

function bodyOf(typed: TypedOAuth, version: number) {
  const tenant = typed.provider === 'microsoft' ? typed.tenant.trim() : '';
  return {
    provider: typed.provider,
    client_id: typed.client_id.trim(),
    client_secret: typed.client_secret.trim() || null,
    refresh_token: typed.refresh_token.trim(),
    tenant: tenant || null,
    version,
  };
}

function problemsOf(typed: TypedOAuth, version: number): { readonly [Name in FieldName]?: string } {
  const body = bodyOf(typed, version);
  const { shape } = ConnectorOAuthIn;
  const names: readonly FieldName[] = ['client_id', 'client_secret', 'refresh_token', 'tenant'];
  const wrong = names.filter((name) => !shape[name].safeParse(body[name]).success);
  return Object.fromEntries(wrong.map((name) => [name, body[name] ? words.wrong : words.missing]));
}
