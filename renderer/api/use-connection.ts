import { useSyncExternalStore } from 'react';
import { type ConnectionState, connectionState, onConnectionChange } from './connection.ts';

export function useConnection(): ConnectionState {
  return useSyncExternalStore(onConnectionChange, connectionState);
}
