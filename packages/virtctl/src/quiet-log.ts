/** For commands that wait for a server to come up: its absence is expected and not worth a line each time. */
export const quietLog = { info(): void {}, warn(): void {}, error(): void {} };
