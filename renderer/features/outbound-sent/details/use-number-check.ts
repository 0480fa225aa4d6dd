import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import type { NumberCheck as NumberCheckSchema } from '../../../../shared/api/outbound-shapes.ts';
import { client } from '../../../api/client.ts';

export type NumberCheck = z.infer<typeof NumberCheckSchema>;

const PAUSE_MS = 150;

/** Returns the gateway's check of a number, shortly after the last keystroke. No data until this text was checked. */
export function useNumberCheck(text: string) {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const wanted = settled.trim();
  const check = useQuery({
    queryKey: ['number-check', wanted],
    enabled: wanted !== '',
    staleTime: 10_000,
    queryFn: ({ signal }) => client.outbound.checkNumber({ query: { to: wanted }, signal }),
  });
  const isCurrent = text.trim() === wanted;
  return {
    data: isCurrent ? check.data : undefined,
    error: check.error,
    isFetching: check.isFetching,
    refetch: check.refetch,
    isChecking: !isCurrent || check.isFetching,
  };
}
