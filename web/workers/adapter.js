
// What a browser says of its GPU and wgpu does not pass on: its maker and architecture, and subgroups, which are asked for
// here beside what wgpu asks for.
if (globalThis.GPUAdapter) {
  const { prototype } = GPUAdapter;
  const own = prototype.requestDevice;
  prototype.requestDevice = function (wanted = {}) {
    const features = new Set(wanted.requiredFeatures ?? []);
    if (this.features.has("subgroups")) features.add("subgroups");
    return own.call(this, { ...wanted, requiredFeatures: [...features] });
  };
}

// wgpu knows no internal errors, which a driver's compiler makes, and ends where one comes: it reads them as it does those of
// validation.
if (globalThis.GPUError) {
  const isRefusal = (one) => one instanceof GPUError && !(one instanceof GPUOutOfMemoryError);
  Object.defineProperty(GPUValidationError, Symbol.hasInstance, { value: isRefusal });
}

/** The GPU's name and its subgroups' lanes, the most and the fewest, as JSON. */
async function adapterTold() {
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: "high-performance" });
  const info = adapter?.info ?? {};
  const { vendor = "", architecture = "", description = "" } = info;
  const { subgroupMaxSize = 0, subgroupMinSize = 0 } = adapter?.features.has("subgroups") ? info : {};
  const name = description || [vendor, architecture].filter(Boolean).join(" ");
  return JSON.stringify({ name, subgroup_lanes: [subgroupMaxSize, subgroupMinSize] });
}
