//! Each WGSL text, read with naga, agrees with what the catalogue says of it.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeSet;

use lanescope_kernels::{
    Element, FILL_WGSL, Family, Kernel, KernelId, Problem, Shape, Stage, Values,
};
use naga::proc::Alignment;
use naga::valid::{
    Capabilities, ModuleInfo, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator,
};

fn parse(kernel: &Kernel, element: Element) -> naga::Module {
    naga::front::wgsl::parse_str(&kernel.wgsl(element)).unwrap_or_else(|e| {
        panic!(
            "{}: {}",
            kernel.name(),
            e.emit_to_string(&kernel.wgsl(element))
        )
    })
}

fn validate(name: &str, module: &naga::Module) -> ModuleInfo {
    let capabilities = Capabilities::SUBGROUP;
    Validator::new(ValidationFlags::all(), capabilities)
        .subgroup_stages(ShaderStages::COMPUTE)
        .subgroup_operations(SubgroupOperationSet::all())
        .validate(module)
        .unwrap_or_else(|e| panic!("{name}: {e:?}"))
}

fn every_text() -> impl Iterator<Item = (&'static Kernel, Element)> {
    Kernel::all().iter().flat_map(|kernel| {
        kernel
            .elements
            .iter()
            .map(move |&element| (kernel, element))
    })
}

/// The module with `values` put in, as a pipeline would see it.
fn resolved(kernel: &Kernel, element: Element, values: &Values) -> naga::Module {
    let module = parse(kernel, element);
    let info = validate(kernel.name(), &module);
    let constants = values
        .iter()
        .filter(|(name, _)| stage_of(kernel, name) == Stage::Pipeline)
        .map(|(name, value)| (name.to_owned(), f64::from(value)))
        .collect();
    let entry = Some((naga::ShaderStage::Compute, kernel.name()));
    naga::back::pipeline_constants::process_overrides(&module, &info, entry, &constants)
        .unwrap_or_else(|e| panic!("{} with {values:?}: {e:?}", kernel.name()))
        .0
        .into_owned()
}

fn stage_of(kernel: &Kernel, name: &str) -> Stage {
    kernel
        .parameters
        .iter()
        .find(|p| p.name == name)
        .unwrap()
        .stage
}

/// The defaults, and every value of every parameter with the others at default.
fn settings(kernel: &Kernel) -> Vec<Values> {
    let mut all = vec![kernel.defaults(), kernel.tuned()];
    for parameter in kernel.parameters {
        all.extend(
            parameter
                .legal
                .iter()
                .map(|&v| kernel.defaults().with(parameter.name, v)),
        );
    }
    all
}

#[test]
fn the_catalogue_holds_every_id_once_and_in_order() {
    let ids: Vec<_> = Kernel::all().iter().map(|kernel| kernel.id).collect();
    assert_eq!(ids, KernelId::ALL);
    for &id in KernelId::ALL {
        assert_eq!(Kernel::of(id).id, id);
        assert_eq!(KernelId::by_name(id.name()), Some(id));
    }
}

#[test]
fn every_text_is_valid_for_every_value_of_every_parameter() {
    for (kernel, element) in every_text() {
        for values in settings(kernel) {
            validate(kernel.name(), &resolved(kernel, element, &values));
        }
    }
    let fill = naga::front::wgsl::parse_str(FILL_WGSL).unwrap();
    validate("fill", &fill);
    assert_eq!(fill.entry_points[0].name, "fill");
    assert_eq!(fill.entry_points[0].workgroup_size, [256, 1, 1]);
}

#[test]
fn the_element_type_is_the_one_asked_for() {
    for (kernel, element) in every_text() {
        if kernel.family == Family::Reduction {
            let line = format!("alias Element = {};", element.name());
            assert!(kernel.wgsl(element).contains(&line), "{}", kernel.name());
        }
    }
}

#[test]
fn the_one_entry_point_has_the_kernels_name_and_workgroup() {
    for (kernel, element) in every_text() {
        for values in settings(kernel) {
            let module = resolved(kernel, element, &values);
            assert_eq!(module.entry_points.len(), 1);
            let entry = &module.entry_points[0];
            assert_eq!(entry.name, kernel.name());
            let [x, y] = kernel.workgroup(&values);
            assert_eq!(
                entry.workgroup_size,
                [x, y, 1],
                "{} {values:?}",
                kernel.name()
            );
        }
    }
}

#[test]
fn workgroup_memory_is_what_the_catalogue_says() {
    for (kernel, element) in every_text() {
        for values in settings(kernel) {
            let module = resolved(kernel, element, &values);
            let mut layouter = naga::proc::Layouter::default();
            layouter.update(module.to_ctx()).unwrap();
            let bytes: u32 = module
                .global_variables
                .iter()
                .filter(|(_, v)| v.space == naga::AddressSpace::WorkGroup)
                .map(|(_, v)| Alignment::FOUR.round_up(layouter[v.ty].size))
                .sum();
            assert_eq!(
                bytes,
                kernel.shared_bytes(&values),
                "{} {values:?}",
                kernel.name()
            );
        }
    }
}

#[test]
fn overrides_are_the_pipeline_parameters_with_their_defaults() {
    for (kernel, element) in every_text() {
        let module = parse(kernel, element);
        let mut found = BTreeSet::new();
        for (_, over) in module.overrides.iter() {
            let Some(init) = over.init else { continue };
            let naga::Expression::Literal(naga::Literal::U32(value)) =
                module.global_expressions[init]
            else {
                continue;
            };
            found.insert((over.name.clone().unwrap(), value));
        }
        let stated: BTreeSet<_> = kernel
            .parameters
            .iter()
            .filter(|p| p.stage == Stage::Pipeline)
            .map(|p| (p.name.to_owned(), p.default))
            .collect();
        assert_eq!(found, stated, "{}", kernel.name());
        assert!(
            kernel
                .parameters
                .iter()
                .all(|p| p.legal.contains(&p.default))
        );
    }
}

#[test]
fn bindings_are_input_output_shape_and_tickets() {
    for (kernel, element) in every_text() {
        let module = parse(kernel, element);
        let bound: BTreeSet<_> = module
            .global_variables
            .iter()
            .filter_map(|(_, v)| {
                v.binding
                    .map(|b| (b.group, b.binding, v.name.clone().unwrap()))
            })
            .collect();
        let mut stated = vec![(0, 0, "input"), (0, 1, "output"), (0, 2, "shape")];
        if kernel.single_pass {
            stated.push((0, 3, "tickets"));
        }
        let stated: BTreeSet<_> = stated
            .into_iter()
            .map(|(g, b, n)| (g, b, n.to_owned()))
            .collect();
        assert_eq!(bound, stated, "{}", kernel.name());
    }
}

#[test]
fn the_uniform_has_the_layout_of_the_rust_struct() {
    for (kernel, element) in every_text() {
        let module = parse(kernel, element);
        let (_, ty) = module
            .types
            .iter()
            .find(|(_, t)| t.name.as_deref() == Some("Shape"))
            .unwrap();
        let naga::TypeInner::Struct { members, span } = &ty.inner else {
            panic!("not a struct")
        };
        assert_eq!(u64::from(*span), Shape::BYTES);
        let names: Vec<_> = members
            .iter()
            .map(|m| (m.name.as_deref().unwrap(), m.offset))
            .collect();
        assert_eq!(
            names,
            [("columns", 0), ("rows", 4), ("length", 8), ("groups", 12)]
        );
    }
    let shape = Shape {
        columns: 1,
        rows: 2,
        length: 3,
        groups: 4,
    };
    assert_eq!(
        shape.to_bytes(),
        [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]
    );
}

#[test]
fn every_element_is_in_some_workgroup() {
    for kernel in Kernel::all() {
        for values in settings(kernel) {
            for n in [1_u64, 3, 255, 257, 65_537, 1 << 28] {
                if !kernel.takes(Problem::Length(n)) {
                    continue;
                }
                let [x, y, _] = kernel
                    .dispatch(Problem::Length(n), &values, 65_535)
                    .unwrap();
                let launched = u64::from(x) * u64::from(y);
                let needed = kernel.workgroups(Problem::Length(n), &values);
                assert!(launched >= needed && launched < needed + u64::from(y));
            }
        }
    }
}
