import { useQuery } from '@tanstack/react-query';
import { DIRECT_BACKEND, INTERNAL_BACKEND, LINE_BACKEND, TEST_BACKEND } from '../../shared/backends.ts';
import { contextQuery } from '../api/queries.ts';
import { t } from '../texts/index.ts';

/**
 * Returns a function for the name of a provider's vendor by its backend, from the provider's adapter: the same on every
 * screen.
 */
export function useProviderName(): (backend: string) => string {
  const names = useQuery(contextQuery).data?.provider_names;
  return (backend) => {
    if (backend === INTERNAL_BACKEND || backend === TEST_BACKEND) return t.shell.product;
    if (backend === DIRECT_BACKEND) return t.fax.partner;
    return names?.[backend] ?? t.send.provider;
  };
}

/** Returns true when a fax leaves by a call over the phone line. */
export const isByLine = ({
  backend,
  internal,
  direct,
}: {
  readonly backend: string;
  readonly internal: boolean;
  readonly direct: boolean;
}) => backend === LINE_BACKEND && !internal && !direct;
