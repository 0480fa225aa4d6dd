import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Connector, connectorsQuery, intake } from '../../../api/intake.ts';
import { queryClient, useInstallation } from '../../../api/queries.ts';
import { isRefused } from '../../../api/sentence.ts';
import { t } from '../../../texts/mail-connectors.ts';
import { usePhoneReader } from '../../../ui/phone-reader.ts';
import {
  bodyOf,
  type FieldProblems,
  formValuesOf,
  problemsOf,
  type TypedConnector,
} from './connector-fields.ts';
import { DEFAULT_PORTS } from './mail-services.ts';

/** The fields of a connector as they are typed, saved as a new one or as a change of one. */
export function useConnectorForm(first: Connector | undefined, onDone: (saved: Connector) => void) {
  const [connector, setConnector] = useState(first);
  const [typed, setTyped] = useState(() => formValuesOf(first));
  const [isChecked, setChecked] = useState(false);
  const reader = usePhoneReader();
  const country = useInstallation()?.country ?? '';
  const saving = useMutation({
    mutationFn: () => {
      const body = bodyOf(typed, connector?.version ?? null);
      return connector
        ? intake.changeConnector({ params: { id: connector.id }, body })
        : intake.createConnector({ body });
    },
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: connectorsQuery.queryKey });
      onDone(saved);
    },
  });
  const isNumber = (text: string) => reader === null || reader.toE164(text, country) !== null;
  const problems = problemsOf(typed, connector, isNumber);
  return {
    connector,
    typed,
    type: (change: Partial<TypedConnector>) => setTyped((before) => withDefaultPort(before, change)),
    /** Problems show only after an attempt to save. */
    problems: isChecked ? shownProblems(problems, saving.error) : {},
    submit: () => {
      setChecked(true);
      if (Object.keys(problems).length === 0 && !saving.isPending) saving.mutate();
    },
    isPending: saving.isPending,
    error: isRefused(saving.error, 'invalid_fax_number') ? null : saving.error,
    isStale: isRefused(saving.error, 'stale'),
    isGone: isRefused(saving.error, 'no_such_connector'),
    /** Takes the values that the other person saved in place of the typed ones. */
    reload: async () => {
      const items = await queryClient.fetchQuery(connectorsQuery);
      const now = items.find(({ id }) => id === connector?.id);
      if (!now) return;
      setConnector(now);
      setTyped(formValuesOf(now));
      setChecked(false);
      saving.reset();
    },
  };
}

export type ConnectorForm = ReturnType<typeof useConnectorForm>;

/** Changes the port with the encryption, unless a custom one was entered. */
function withDefaultPort(before: TypedConnector, change: Partial<TypedConnector>): TypedConnector {
  const isUsual = before.port === String(DEFAULT_PORTS[before.security]);
  const port = change.security !== undefined && change.port === undefined && isUsual;
  return { ...before, ...change, ...(port && { port: String(DEFAULT_PORTS[change.security]) }) };
}

function shownProblems(problems: FieldProblems, error: unknown): FieldProblems {
  const isNumberRefused = isRefused(error, 'invalid_fax_number');
  return isNumberRefused ? { ...problems, number: t.mailConnectors.rules.number } : problems;
}
