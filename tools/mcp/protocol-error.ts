import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { FAULTS, type Fault } from '../../src/errors.ts';
import { localizeFault, type Reader } from '../../src/language.ts';

/** A fault where the protocol has no place for the error of a tool. The code tells a fault of ours from one of the caller. */
export function protocolError(fault: Fault, reader: Reader): ProtocolError {
  const { detail } = localizeFault(fault, reader);
  const isOurs = FAULTS[fault.code].status >= 500;
  return new ProtocolError(
    isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams,
    detail,
  );
}
