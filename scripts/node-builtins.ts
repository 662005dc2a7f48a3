/**
 * How bundles get Node's own modules. Node reads every export of a module that is imported as ESM, and some exports are
 * getters that load what they stand for: `import … from 'node:http'` loads fetch, WebSocket, HTTP/2 and web streams for
 * the sake of `http.WebSocket`, which is 2.3 MiB of memory and 20 ms of CPU in each process. `process.getBuiltinModule`
 * reads none. So an import becomes a module that takes what is used of it, name by name; the rest is left out of the
 * bundle because taking it has no effect that anybody sees.
 */
import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'node-builtin';
const BUILTINS = new Set(builtinModules);
const bare = (path: string): string => path.replace(/^node:/, '');

export const nodeBuiltins: Plugin = {
  name: NAMESPACE,
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z_]/ }, ({ path, kind, importer }) => {
      if (!BUILTINS.has(bare(path)) && !path.startsWith('node:')) return undefined;
      // undici asks for HTTP/2 in case somebody wants it. Nobody does, and without it undici goes on.
      if (kind === 'require-call' && bare(path) === 'http2' && importer.includes('/undici/'))
        return { path: 'none', namespace: NAMESPACE };
      // `require` reads no exports, and a late import loads when it is needed.
      if (kind !== 'import-statement') return { path, external: true };
      return { path: `node:${bare(path)}`, namespace: NAMESPACE, sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
      contents: path === 'none' ? 'module.exports = { constants: {} };' : takingModule(path),
      loader: 'js',
    }));
  },
};

/** Pure, but for the names, which are those of the Node that builds: the one that comes with the product. */
function takingModule(path: string): string {
  const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => /^[A-Za-z_$]/.test(name));
  return [
    `const all = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)});`,
    'const take = (name) => all[name];',
    'export default all;',
    ...names
      .filter((name) => name !== 'default')
      .map(
        (name) =>
          `const $${name} = /* @__PURE__ */ take(${JSON.stringify(name)});\nexport { $${name} as ${name} };`,
      ),
  ].join('\n');
}
